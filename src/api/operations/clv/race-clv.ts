// POST /v1/racing/clv (A 4.13, D33; reference-shapes 11).

import type { Static } from '@sinclair/typebox';
import type { InputProblem } from '../../../errors';
import type { Reads } from '../../../store/reads/reads';
import type { BodyContext } from '../../kernel/endpoint/body-rules';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { unknownBookmakers } from '../../kernel/endpoint/rules';
import { raceSelectorRules } from '../../wire/select-race';
import { scoreBets } from './clv';
import { exampleClv } from './clv-example';
import { ClvReport } from './clv-report-schema';
import { ClvRequest, MOST_BETS } from './clv-schema';
import { withoutNulls } from './clv-subject';
import { presentClv } from './present-clv';

type Bet = Static<typeof ClvRequest>['bets'][number];

export const raceClv = endpoint<{ reads: Reads }>()({
  method: 'post',
  path: '/v1/racing/clv',
  operationId: 'race_clv',
  tag: 'Racing',
  summary: 'Score bets against the closing line',
  description:
    `Scores up to ${MOST_BETS} win and place bets: how each price compares with the closing price, and how the bet settled. The closing ` +
    'price is the last price seen up to the jump (the market’s close if it was seen, otherwise the advertised start). It is a ' +
    'closing line if it was last seen within 300 s of the jump. A bet that names a bookmaker is measured against that book’s own ' +
    'close, any other bet against the best or the median close across books. `clv_pct` is `100 * (price / close_price - 1)`, ' +
    'before deductions. A place bet (`market`) is measured against place prices, which are captured with each change of the win price. ' +
    'Bets settle on the final placings, with dead heats and deductions applied. A bet that cannot be scored ' +
    'has a `reason` and is left out of the averages; it is never estimated, and the request costs the same. Closing prices come ' +
    'from captured prices, and from the archive of closing lines for races older than about 45 days.',
  auth: 'key',
  cost: flat(5),
  gate: planGate('clv'),
  body: ClvRequest,
  bodyBytes: MOST_BETS * 1280,
  bodyRules: { bets: betRules },
  ok: { description: 'The scored bets, in the order sent, and a summary.', schema: ClvReport, example: exampleClv },
  async handler({ body, audience, nowMs, services: { reads } }) {
    const reference = body.reference ?? 'best';
    const scores = await scoreBets(reads, body.bets.map(withoutNulls), reference, audience, nowMs);
    return { body: presentClv(scores, reference) };
  },
});

const BY_RUNNER = ['runner_ref', 'runner_number', 'runner_name'];

function betRules(bet: Partial<Bet>, { audience, given }: BodyContext): readonly InputProblem[] {
  const unnamed = !BY_RUNNER.some((name) => given.has(name));
  const noRunner = {
    parameter: 'runner_number',
    detail: 'Identify the runner by runner_ref, runner_number or runner_name.',
  };
  const [unknown] = unknownBookmakers(bet.bookmaker ? [bet.bookmaker.toLowerCase()] : [], audience);
  return [
    ...raceSelectorRules(given),
    ...(unnamed ? [noRunner] : []),
    ...(unknown
      ? [{ ...unknown, parameter: 'bookmaker', detail: unknown.detail.replace('bookmakers has', 'bookmaker is') }]
      : []),
  ];
}
