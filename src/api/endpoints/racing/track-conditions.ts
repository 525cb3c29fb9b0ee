// GET /v1/racing/track-conditions (A 2.9, A 4.9; reference-shapes 3.6).
import { Type } from '@sinclair/typebox';
import { addDays, aetDay } from '../../../domain/time/aet';
import { ageSeconds } from '../../../domain/time/staleness';
import type { InputProblem } from '../../../errors';
import { endpoint, flat } from '../../endpoint';
import { COVERAGE_FROM, presentTrackConditions } from '../../present/meetings/track-conditions';
import { TrackConditions } from '../../schemas/meetings/track-conditions';
import { exampleTrackConditions } from '../../schemas/meetings/track-conditions-example';

const DAYS_AHEAD = 3;

export const trackConditions = endpoint({
  method: 'get',
  path: '/v1/racing/track-conditions',
  operationId: 'track_conditions',
  tag: 'Racing',
  summary: 'State of a day’s tracks, and how it changed',
  description:
    'One entry per meeting, whatever each feed calls it: the track as it was last stated, each field with its feed and its instant, ' +
    'and every logged change. The registry’s rows are the official rating of Australian thoroughbred meetings; a bookmaker’s row ' +
    'is one of its races that moved between two polls. One rating spelled two ways is never a change.',
  auth: 'key',
  cost: flat(1),
  query: {
    date: Type.Optional(
      Type.String({
        format: 'date',
        description: `Meeting day, from ${COVERAGE_FROM} up to ${DAYS_AHEAD} days ahead. Default: today (Australia/Sydney).`,
      }),
    ),
    venue: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Only this meeting, by any spelling that means its venue, in any case. Default: every meeting.',
      }),
    ),
  },
  rules: ({ date }, { nowMs }) => withinReach(date, nowMs),
  ok: { description: 'The day.', schema: TrackConditions, example: exampleTrackConditions },
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
  const detail = `date must be from ${COVERAGE_FROM}, where the coverage begins, to ${until}.`;
  return [{ parameter: 'date', detail }];
}
