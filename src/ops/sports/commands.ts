// An operator's view of which rows are one match, and what the operator rules (D66).
import { probableTwins } from '../../domain/sports/identity/probable-twins';
import { MOST_DECISIONS } from '../../store/sports/identity/decisions';
import type { RefusedRuling, Ruled } from '../../store/sports/identity/rulings';
import type { Wiring } from '../../wiring/service';
import { type Command, isUuid, Mistake, required } from '../command';
import { table } from '../table';

const MOST_BOOKS = 40;

export const SPORT_COMMANDS: readonly Command[] = [
  {
    name: 'sports decisions',
    synopsis: '[--match EVENT_ID] [--book KEY] [--since TIME] [--because REASON]',
    about: 'list which match each book’s row became, and why, the newest first',
    help: `At most ${MOST_DECISIONS}. TIME is like 2026-11-21T00:00:00Z. --because unknown_competition lists matches that were joined though a competition is unknown.`,
    async run({ stores: { sportIdentity } }, { options }) {
      const decisions = await sportIdentity.decisions({
        eventId: options.match === undefined ? null : eventId(options.match, '--match'),
        bookmakerKey: options.book ?? null,
        since: options.since === undefined ? null : instant(options.since),
        because: options.because ?? null,
      });
      if (decisions.length === 0) return 'no decision is stored';
      const rows = decisions.map((one) => [
        one.decided_at,
        one.bookmaker_key,
        one.verdict,
        one.because,
        one.event_id ?? '-',
        one.sentence,
      ]);
      return table([['decided', 'book', 'verdict', 'because', 'match', 'why'], ...rows]);
    },
  },
  {
    name: 'sports twins',
    synopsis: '',
    about: 'list matches that probably are one and stand twice',
    help: 'One sport, starts within ten minutes, prices that agree, no book that lists both. `sports join` makes them one.',
    async run(wiring) {
      const twins = probableTwins(await wiring.stores.sportIdentity.matches(nowOf(wiring)));
      if (twins.length === 0) return 'no match stands twice';
      const rows = twins.map(({ older, younger, equalSides, turned, apart }) => [
        older.sportKey,
        older.commenceTime,
        `${older.eventId} ${older.homeTeam} v ${older.awayTeam}`,
        `${younger.eventId} ${younger.homeTeam} v ${younger.awayTeam}`,
        String(equalSides),
        turned ? 'turned' : 'same',
        (apart * 100).toFixed(1),
      ]);
      return table([['sport', 'start', 'match', 'probable twin', 'equal sides', 'sides', 'points apart'], ...rows]);
    },
  },
  {
    name: 'sports join',
    synopsis: 'EVENT_ID EVENT_ID [--sides same|turned]',
    about: 'make two matches one: the older id stays, and the other answers as it',
    words: 2,
    help: 'Their histories become one by book and time, and later reports follow. Running it again changes nothing. A match that has started is left alone. Give --sides if none of the teams is spelled alike.',
    async run(wiring, { words, options }) {
      const [one, other] = [0, 1].map((i) => eventId(required(words[i], 'EVENT_ID EVENT_ID'), 'EVENT_ID'));
      const sides = options.sides;
      if (sides !== undefined && sides !== 'same' && sides !== 'turned')
        throw new Mistake(`--sides is same or turned, not '${sides}'.`);
      const turned = sides === undefined ? null : sides === 'turned';
      return outcomeOf(await wiring.stores.sportIdentity.join(one!, other!, turned, nowOf(wiring)));
    },
  },
  {
    name: 'sports part',
    synopsis: 'EVENT_ID BOOK [BOOK]',
    about: 'give the rows of these books a match of their own',
    words: MOST_BOOKS,
    help: 'Any number of books. Their prices and histories go with their source ids, and later reports follow. Announced arbs between the two are corrected. Running it again changes nothing. A match that has started is left alone.',
    async run(wiring, { words }) {
      const id = eventId(required(words[0], 'EVENT_ID'), 'EVENT_ID');
      required(words[1], 'BOOK');
      return outcomeOf(await wiring.stores.sportIdentity.part(id, [...new Set(words.slice(1))], nowOf(wiring)));
    },
  },
  {
    name: 'sports recheck',
    synopsis: '',
    about: 'part the matches that today’s rule would not join, past ones too',
    help: 'Each book’s captures and closing lines go with its row, and announced arbs between two matches are corrected. Running it again finds nothing.',
    async run(wiring) {
      const { matches, parted, corrected } = await wiring.stores.sportIdentity.recheck(nowOf(wiring));
      const lines = parted.map(({ bookmaker, from, to, because }) => `${bookmaker}: ${from} to ${to} (${because})`);
      const sum = `${matches} matches of several books were read, ${parted.length} rows were parted, ${corrected} arbs were corrected`;
      return [...lines, sum].join('\n');
    },
  },
];

const nowOf = ({ now }: Wiring): string => new Date(now()).toISOString();

function eventId(text: string, what: string): string {
  if (!isUuid(text)) throw new Mistake(`${what} '${text}' is no event id: give \`event_id\` as every response has it.`);
  return text;
}

function instant(text: string): string {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new Mistake(`--since '${text}' is no time: give one like 2026-11-21T00:00:00Z.`);
  return new Date(ms).toISOString();
}

function outcomeOf(verdict: Ruled | RefusedRuling): string {
  switch (verdict.kind) {
    case 'joined':
      return `${verdict.other} is ${verdict.eventId} now, with ${verdict.bookmakers.join(', ')}`;
    case 'parted':
      return `${verdict.bookmakers.join(', ')} have a match of their own now, ${verdict.eventId}; arbs corrected: ${verdict.corrected}`;
    case 'stands':
      return `it was ruled so before: ${verdict.eventId}`;
    case 'started':
      return `nothing was changed: ${verdict.eventId} has started`;
    case 'unknown':
      throw new Mistake(`There is no match ${verdict.eventId}.`);
    case 'other_sport':
      throw new Mistake('They are matches of two sports.');
    case 'sides_unknown':
      throw new Mistake('None of their teams is spelled alike: give --sides same or --sides turned.');
    case 'whole_match':
      throw new Mistake('These are all of its books: one at least must stay.');
    case 'both_listed':
      throw new Mistake(`Both are listed at once by ${verdict.bookmakers.join(', ')}, so they are two matches.`);
    case 'not_listed':
      throw new Mistake(`It has no row of ${verdict.bookmakers.join(', ')}.`);
  }
}
