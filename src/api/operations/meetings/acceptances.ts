// GET /v1/racing/acceptances (A 4.13; reference-shapes 3.6).

import { Type } from '@sinclair/typebox';
import { addDays, aetDay } from '../../../domain/time/aet';
import type { InputProblem } from '../../../errors';
import type { AcceptedMeeting } from '../../../store/reads/meetings/acceptances';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { venue } from '../../wire/parameters';
import { exampleAcceptances } from './acceptances-example';
import { Acceptances } from './acceptances-schema';
import { presentAcceptances } from './present-acceptances';

const DAYS_EITHER_WAY = 3;

export const acceptances = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/acceptances',
  operationId: 'acceptances',
  tag: 'Racing',
  summary: 'Acceptances for a day’s Australian thoroughbred meetings',
  description:
    'Every meeting in the registry’s calendar for the day, ordered by venue. If a meeting’s acceptances are published, it ' +
    'includes the runners in saddlecloth order, the scratchings from the official sheet and from every reporting bookmaker, and ' +
    'how complete the data is. Australian thoroughbreds only.',
  auth: 'key',
  cost: flat(2),
  query: {
    date: Type.Optional(
      Type.String({
        format: 'date',
        description: `Meeting day (Australia/Sydney), up to ${DAYS_EITHER_WAY} days back or ahead. Default: today.`,
      }),
    ),
    venue,
  },
  rules: ({ date }, { nowMs }) => withinReach(date, nowMs),
  ok: { description: 'The meetings of the day.', schema: Acceptances, example: exampleAcceptances },
  async handler({ query, nowMs, services }) {
    const today = aetDay(nowMs);
    const date = query.date ?? today;
    const body = presentAcceptances(await services.reads.acceptances(date), isRequested(query.venue), date, today);
    return { body, dataAgeSeconds: body.as_of === null ? null : Math.floor((nowMs - Date.parse(body.as_of)) / 1000) };
  },
});

function withinReach(date: string | undefined, nowMs: number): InputProblem[] {
  const today = aetDay(nowMs);
  const from = addDays(today, -DAYS_EITHER_WAY);
  const to = addDays(today, DAYS_EITHER_WAY);
  if (date === undefined || (date >= from && date <= to)) return [];
  return [{ parameter: 'date', detail: `date must be from ${from} to ${to}.` }];
}

/** Matches the registry's spelling and ours, case-insensitive. */
function isRequested(venues: readonly string[] | undefined): (meeting: AcceptedMeeting) => boolean {
  if (venues === undefined) return () => true;
  const wanted = new Set(venues.map((name) => name.toLowerCase()));
  return ({ venue: name, venue_canonical: canonical }) =>
    wanted.has(name.toLowerCase()) || wanted.has(canonical.toLowerCase());
}
