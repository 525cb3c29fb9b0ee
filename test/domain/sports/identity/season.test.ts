// Measures how well names are joined: a season of five sports as six kinds of source write it
// (`test/fixtures/sports/season-spellings.tsv`). All matches of a round start at the same time, so that only names and
// prices distinguish them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListedEvent } from '../../../../src/domain/sports/identity/listed-event';
import { sportOf } from '../../../../src/domain/sports/sports';
import { createNameStore } from '../../../support/sports/name-store';

const LINES = readFileSync(join(__dirname, '../../../fixtures/sports/season-spellings.tsv'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'));
const SOURCES = 6;
const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse('2026-03-01T09:00:00.000Z');

/** Between 0 and 1, the same for the same number. */
const drawn = (n: number): number => (((n * 2_654_435_761) >>> 0) % 1000) / 1000;

/** Every side plays every other side once: the pairs of each round. */
function rounds(sides: number): readonly (readonly (readonly [number, number])[])[] {
  const odd = sides % 2;
  const n = sides + odd;
  return Array.from({ length: n - 1 }, (_, round) =>
    Array.from({ length: n / 2 }, (_, i): readonly [number, number] => {
      const a = i === 0 ? n - 1 : (round + i) % (n - 1);
      const b = (round + n - 1 - i) % (n - 1);
      return round % 2 === 0 ? [a, b] : [b, a];
    }).filter(([a, b]) => a < sides && b < sides),
  );
}

interface Measured {
  readonly matches: number;
  readonly joined: number;
  readonly wrong: readonly string[];
  readonly alone: readonly string[];
}

function measure(sportKey: string): Measured {
  const sides = LINES.filter(([sport]) => sport === sportKey).map(([, ...names]) => names);
  const store = createNameStore();
  const wrong: string[] = [];
  const alone: string[] = [];
  let matches = 0;
  for (const [round, pairs] of rounds(sides.length).entries()) {
    store.forget();
    const startMs = FIRST_MS + round * DAY_MS;
    const became = pairs.map(() => new Map<string, string>());
    for (let k = 0; k < SOURCES; k++) {
      const source = (round + k) % SOURCES;
      const rows = pairs.map(([a, b], i): ListedEvent => {
        const share = 0.25 + drawn(round * 97 + i) / 2 + (drawn(round * 31 + i * 7 + source) - 0.5) / 20;
        // One source lists the sides in reverse order.
        const isTurned = source === 3 && round % 3 === 0;
        const [home, away] = isTurned ? [b, a] : [a, b];
        return {
          sport: sportOf(sportKey)!,
          sourceId: `${source}-${i}`,
          homeTeam: sides[home]![source]!,
          awayTeam: sides[away]![source]!,
          competition: null,
          commenceTime: new Date(startMs + source * 60_000).toISOString(),
          homeShare: isTurned ? 1 - share : share,
          h2h: null,
        };
      });
      const ids = store.push(`source-${source}`, rows, new Date(startMs - DAY_MS / 2).toISOString());
      for (const [i, id] of ids.entries()) {
        became[i]!.set(`${rows[i]!.homeTeam} v ${rows[i]!.awayTeam}`, id);
        const other = became.findIndex((one, j) => j !== i && [...one.values()].includes(id) && id.includes('-'));
        if (other >= 0) wrong.push(`${rows[i]!.homeTeam} v ${rows[i]!.awayTeam}: ${[...became[other]!.keys()]}`);
      }
    }
    matches += pairs.length;
    for (const one of became) if (new Set(one.values()).size > 1) alone.push([...one.keys()].join(' | '));
  }
  return { matches, joined: matches - alone.length, wrong, alone };
}

test.each(['nrl', 'afl', 'mlb', 'soccer_epl', 'tennis_atp'])(
  'a season of %s: 98 % joined, none wrongly',
  (sportKey) => {
    const { matches, joined, wrong, alone } = measure(sportKey);
    const share = (100 * joined) / matches;
    console.info(
      `${sportKey}: ${joined} of ${matches} matches joined by all sources (${share.toFixed(1)} %), ${wrong.length} wrongly`,
    );
    expect(wrong).toEqual([]);
    expect(share < 98 ? alone.slice(0, 10) : []).toEqual([]);
  },
);
