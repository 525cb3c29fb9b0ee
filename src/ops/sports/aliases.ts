// Spellings of teams and players that an operator decides: listed, accepted as one team, rejected as two.
import type { AliasReport, AliasVerdict } from '../../store/sports/aliases';
import type { Wiring } from '../../wiring/service';
import { type Command, Mistake } from '../command';
import { table } from '../table';

const DAY_MS = 24 * 3_600_000;
/** Matches that started earlier are reported no more. */
const REPORTED_DAYS = 60;

export const SPORT_NAME_COMMANDS: readonly Command[] = [
  {
    name: 'sports aliases',
    synopsis: '[--accept ID] [--reject ID]',
    about: 'list names that may be two spellings of one team, or decide one of them',
    help: [
      'Two matches of a sport that start within ten minutes of each other at different bookmakers, with one side equal, have two names for the other.',
      'Accepted, the two are one team from the next push on. Rejected, they stay two and are listed no more.',
      'Either may be repeated, and changes the other.',
    ].join('\n'),
    run: (wiring, { options: { accept, reject } }) => {
      if (accept !== undefined && reject !== undefined) throw new Mistake('Give --accept or --reject.');
      if (accept !== undefined) return decide(wiring, accept, 'accepted');
      return reject === undefined ? list(wiring) : decide(wiring, reject, 'rejected');
    },
  },
];

const sinceOf = (nowMs: number): string => new Date(nowMs - REPORTED_DAYS * DAY_MS).toISOString();

async function list({ stores, now }: Wiring): Promise<string> {
  const found = await stores.sportAliases.report(sinceOf(now()));
  if (found.length === 0) return 'no names to decide';
  return table([
    ['id', 'sport', 'name', 'books', 'other name', 'books', 'matches', 'first', 'last'],
    ...found.map(rowOf),
  ]);
}

const rowOf = (one: AliasReport): readonly string[] => [
  one.aliasId,
  one.sportKey,
  one.oneName,
  one.oneBooks.join(','),
  one.otherName,
  one.otherBooks.join(','),
  String(one.count),
  new Date(one.firstSeenAt).toISOString().slice(0, 16),
  new Date(one.lastSeenAt).toISOString().slice(0, 16),
];

async function decide({ stores, now, wallMs }: Wiring, id: string, verdict: AliasVerdict): Promise<string> {
  const at = new Date(wallMs()).toISOString();
  const decided = await stores.sportAliases.decide(id, verdict, sinceOf(now()), at);
  if (!decided) throw new Mistake(`There is no report ${id}: sports aliases lists them.`);
  const { sportKey, oneKey, otherKey, stood } = decided;
  const as = verdict === 'accepted' ? 'one team' : 'two teams';
  return `${oneKey} and ${otherKey} (${sportKey}) are ${as}${stood ? ', as before' : ' from the next push on'}`;
}
