// POST /v1/racing/clv (A 4.13, D33; reference-shapes 11).
import type { Static } from '@sinclair/typebox';
import type { InputProblem } from '../../../errors';
import { planGate } from '../../access/plan-gate';
import { askedRaceRules } from '../../asked-race';
import { endpoint, flat } from '../../endpoint';
import type { BodyContext } from '../../input/body-rules';
import { unknownBookmakers } from '../../input/rules';
import { presentClv } from '../../present/market/clv';
import { ClvReport, ClvRequest, MOST_BETS } from '../../schemas/market/clv';
import { exampleClv } from '../../schemas/market/clv-example';
import { scoreBets } from '../../services/clv';

type Bet = Static<typeof ClvRequest>['bets'][number];

export const raceClv = endpoint({
  method: 'post',
  path: '/v1/racing/clv',
  operationId: 'race_clv',
  tag: 'Racing',
  summary: 'Bets scored against the closing line',
  description:
    `Up to ${MOST_BETS} win bets: how each price taken compares with the close, and what the bet came to. The close is the last price seen ` +
    'up to the jump (the market’s close, else the advertised start), and counts when that was within 300 s of it: of the bet’s own book where it ' +
    'names one, else the best or the median across books. `clv_pct` = `100 * (price / close_price - 1)`: deductions are not in it. The result ' +
    'comes with the final placings, with dead heats and deductions applied. A bet that cannot be scored says why, stays out of the averages ' +
    'and is never guessed; the request costs the same. Closes are found in captured prices, which are kept for about 45 days.',
  auth: 'key',
  cost: flat(5),
  gate: planGate('clv'),
  body: ClvRequest,
  bodyRules: { bets: betRules },
  ok: { description: 'The bets in the order sent, and what they come to.', schema: ClvReport, example: exampleClv },
  async handler({ body: { bets, reference = 'best' }, audience, nowMs, services: { reads } }) {
    return { body: presentClv(await scoreBets(reads, bets, reference, audience, nowMs), reference) };
  },
});

const BY_RUNNER = ['runner_ref', 'runner_number', 'runner_name'];

function betRules(bet: Partial<Bet>, { audience, given }: BodyContext): readonly InputProblem[] {
  const unnamed = !BY_RUNNER.some((name) => given.has(name));
  const nobody = { parameter: 'runner_number', detail: 'Name the runner by runner_ref, runner_number or runner_name.' };
  const [unknown] = unknownBookmakers(bet.bookmaker === undefined ? [] : [bet.bookmaker.toLowerCase()], audience);
  return [
    ...askedRaceRules(given),
    ...(unnamed ? [nobody] : []),
    ...(unknown
      ? [{ ...unknown, parameter: 'bookmaker', detail: unknown.detail.replace('bookmakers has', 'bookmaker is') }]
      : []),
  ];
}
