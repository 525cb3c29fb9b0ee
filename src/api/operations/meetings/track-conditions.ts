// GET /v1/racing/track-conditions (A 2.9, A 4.9; reference-shapes 3.6).

import { Type } from '@sinclair/typebox';
import { addDays, aetDay } from '../../../domain/time/aet';
import { ageSeconds } from '../../../domain/time/staleness';
import type { InputProblem } from '../../../errors';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { venueName } from '../../wire/parameters';
import { COVERAGE_FROM, presentTrackConditions } from './present-track-conditions';
import { exampleTrackConditions } from './track-conditions-example';
import { TrackConditions } from './track-conditions-schema';

const DAYS_AHEAD = 3;

export const trackConditions = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/track-conditions',
  operationId: 'track_conditions',
  tag: 'Racing',
  summary: 'A day’s track conditions and how they changed',
  description:
    'One entry per meeting, even if feeds spell its venue differently: the latest track state, each field with its feed and its ' +
    'time, and every logged change. The registry’s rows are the official ratings of Australian thoroughbred meetings. A ' +
    'bookmaker’s row is a change between two polls of one of its races. The same rating in two spellings is never a change.',
  auth: 'key',
  cost: flat(1),
  query: {
    date: Type.Optional(
      Type.String({
        format: 'date',
        description: `Meeting day (Australia/Sydney), from ${COVERAGE_FROM} up to ${DAYS_AHEAD} days ahead. Default: today.`,
      }),
    ),
    venue: Type.Optional(
      venueName(
        'Only the meeting at this venue, in any spelling that the feeds use, case-insensitive. Default: every meeting.',
      ),
    ),
  },
  rules: ({ date }, { nowMs }) => withinReach(date, nowMs),
  ok: { description: 'The meetings of the day.', schema: TrackConditions, example: exampleTrackConditions },
  async handler({ query, audience, nowMs, services }) {
    const day = query.date ?? aetDay(nowMs);
    const meetings = await services.reads.trackConditions({ day, bookmakers: audience.bookmakers });
    const body = presentTrackConditions(meetings, day, query.venue);
    const oldest = body.meetings.flatMap(({ current }) => current.as_of ?? []).sort()[0];
    const dataAgeSeconds = oldest === undefined ? null : ageSeconds(Date.parse(oldest), nowMs);
    return { body, dataAgeSeconds };
  },
});

function withinReach(date: string | undefined, nowMs: number): InputProblem[] {
  const until = addDays(aetDay(nowMs), DAYS_AHEAD);
  if (date === undefined || (date >= COVERAGE_FROM && date <= until)) return [];
  const detail = `date must be from ${COVERAGE_FROM}, when coverage begins, to ${until}.`;
  return [{ parameter: 'date', detail }];
}
