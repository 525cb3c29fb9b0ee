// `odds usage`: the credits of the month.
import type { Schemas } from '../../../typescript/src/index.ts';
import { print } from '../board/screen.ts';
import { clientOf } from '../io/client.ts';
import { type Io, write } from '../io/io.ts';
import { jsonText, plain } from '../text/plain.ts';

type Usage = Schemas['Usage'];

export async function usage(io: Io, { json }: { readonly json?: boolean }): Promise<void> {
  const answer = await clientOf(io).account.usage({ signal: io.signal });
  if (json) return write(io, `${jsonText(answer, 2)}\n`);
  return print(io, linesOf(answer).map(plain));
}

function linesOf(answer: Usage): string[] {
  const { plan, credits_used: used, credits_limit: limit, credits_remaining: left } = answer;
  const most = limit === null ? 'unlimited' : `of ${figure(limit)}`;
  return [
    `plan: ${plan}`,
    `used this month: ${figure(used)} ${most}`,
    `left: ${left === null ? 'unlimited' : figure(left)} until ${answer.reset_at.slice(0, 10)}`,
    `a day: ${figure(answer.burn_rate_per_day)}, at this rate ${figure(answer.projected_month_end_credits)} in the month`,
    ...(answer.projected_exhaustion_date === null
      ? []
      : [`used up at this rate on ${answer.projected_exhaustion_date}`]),
    ...answer.usage_by_endpoint_period.map(
      ({ endpoint, calls, credits }) => `  ${endpoint}: ${figure(credits)} in ${figure(calls)} calls`,
    ),
  ];
}

const figure = (amount: number): string => amount.toLocaleString('en-AU');
