// GET /v1/racing/replay (D69): an addition beyond the contract.
import { Type } from '@sinclair/typebox';
import type { InputProblem } from '../../../errors';
import { REPLAY_HOUR_CREDITS } from '../../../plans/cost';
import { endpoint } from '../../kernel/endpoint/endpoint';
import { bookmakers } from '../../wire/parameters';
import { mustBe, oneOf } from '../../wire/vocabulary';
import { type ArchiveServices, archiveGate } from '../archive/pages/archive-gate';
import {
  type ArchiveQuery,
  archiveRules,
  archiveSelection,
  endOf,
  type RuleContext,
  startOf,
} from '../archive/pages/archive-query';
import { archiveSelectors, bound } from '../archive/pages/parameters';
import { winnersLastMoves } from '../archive/price-path-rows';
import type { Replays } from './replay';
import { exampleReplayEvent, ReplayEvent } from './replay-schema';

const MOST_HOURS = 24;
const HOUR_MS = 3_600_000;
const MOST_SPEED = 1000;

const Format = oneOf(['sse', 'ndjson'], {
  description:
    'Server-sent events, or one JSON object a line (`application/x-ndjson`). It overrides the header `Accept`. Default: server-sent events, unless `Accept` names NDJSON.',
});

const speed = mustBe(
  `a number from 1 to ${MOST_SPEED}, or max`,
  Type.Optional(
    Type.String({
      pattern: '^(max|[1-9]\\d{0,2}(\\.\\d{1,3})?|1000)$',
      description: `How much faster than race time, 1 to ${MOST_SPEED}, or \`max\`: as fast as you read. Default: 1.`,
    }),
  ),
);

const lastEventId = Type.Optional(
  Type.String({
    maxLength: 200,
    description: 'The last `id` that you got, to go on after it. The header `Last-Event-ID` overrides it.',
  }),
);

const { from: _from, to: _to, ...selectors } = archiveSelectors('none');
const from = bound('First race start: a Sydney day, or an instant with its UTC offset. Sent with `to`.');
const to = bound('Last race start, included: a Sydney day, or an instant with its UTC offset. Sent with `from`.');

export const racingReplay = endpoint<ArchiveServices & { replays: Replays }>()({
  method: 'get',
  path: '/v1/racing/replay',
  operationId: 'racing_replay',
  tag: 'Racing',
  summary: 'Past races as they happened, as server-sent events or NDJSON',
  description:
    'Plays archived races in the events of `GET /v1/racing/changes/stream`, in the order of race time over all races: a client of the stream ' +
    'works on the past with another address. Select one race by `race_id`, a day by `date`, a meeting by `date` and `venue`, or the races that start ' +
    `from \`from\` to \`to\`, at most ${MOST_HOURS} hours. Each race is played from its first recorded price to its jump: \`race\` brings it into view, \`changes\` have ` +
    'the captured win prices with the place and Top 2 to 4 prices of that moment, `race` comes again after a scratching, and `gone` takes it ' +
    'away. Its `result` follows when it became final, if within six hours. `server_time` is race time.\n\n' +
    'The first event, `recorded`, says what the archive does not keep, and which selected races are not played: only archived races are. The last is `end`.\n\n' +
    'After a break, send the last `id` in `Last-Event-ID` or `last_event_id`, with the same parameters: the rest follows, and nothing comes twice. Within ten minutes it is free, up to 20 times, if it goes back by no more ' +
    'than what may still have been on its way to you; races that were archived since are charged first. With an id a connection takes the place of the one that plays it now, which ends with an event `error` whose `reason` is `replaced`. ' +
    'If races were archived again or got a result in the meantime, `reset` comes first, then the races in view whole and the results up to there.\n\n' +
    'All is charged before the first event. A slow reader slows the replay down. A connection counts as one of the streams of your plan. When the key ends, so does the replay, with an event `error`.',
  auth: 'key',
  sendsEvents: true,
  cost: {
    text: `${REPLAY_HOUR_CREDITS} credits for each race and each started hour from its first price to its advertised start`,
    // Counted from the archive; an id may have paid for all of it.
    credits: () => 0,
  },
  gate: archiveGate('price_paths', winnersLastMoves),
  query: {
    ...{ from, to },
    ...selectors,
    bookmakers,
    speed,
    format: Type.Optional(Format),
    last_event_id: lastEventId,
  },
  exclusive: [
    ['date', 'from'],
    ['date', 'to'],
  ],
  rules: replayRules,
  ok: {
    description: 'The events, each as its name, its id and the JSON of its data.',
    types: ['application/x-ndjson'],
    schema: ReplayEvent,
    example: exampleReplayEvent,
  },
  async handler({ query, rights, nowMs, services }) {
    const { from, until, meetingDate, raceId, venue, categories, countries, series } = archiveSelection(
      query,
      rights,
      nowMs,
    );
    const selection = { from, until, meetingDate, raceId, venue, categories, countries, bookmakers: series };
    const speed = query.speed === 'max' ? null : Number(query.speed ?? 1);
    return {
      ...(query.format !== undefined && { format: query.format }),
      ...(query.last_event_id !== undefined && { lastEventId: query.last_event_id }),
      play: (id) => services.replays.open(selection, speed, id, nowMs),
    };
  },
});

/** The span is stated: without it a client that goes on would select other races. */
function replayRules(query: ArchiveQuery, context: RuleContext): InputProblem[] {
  const problems = archiveRules(query, context);
  if (problems.length > 0) return problems;
  const { given } = context;
  if (given.has('race_id') || given.has('date')) return [];
  if (!given.has('from') || !given.has('to'))
    return [{ parameter: 'date', detail: 'Send race_id, date, or from and to: a replay needs a stated span.' }];
  const { from, to } = query;
  // An unreadable one has its own problem.
  if (from === undefined || to === undefined || from === to) return [];
  if (endOf(to) - startOf(from) <= MOST_HOURS * HOUR_MS + 1) return [];
  const detail = `The span from ${from} to ${to} is longer than ${MOST_HOURS} hours; send a shorter one, or date.`;
  return [{ parameter: 'from', detail }];
}
