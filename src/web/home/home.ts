// Composes what the home page shows, from the live board's own reading: many visitors cost one. A call of the API is
// answered again after some seconds, and shown with its instant.
import type { Board, LiveBoard, RaceSheet } from '../board/model';
import { titleOf } from '../board/sheet';
import { timedCache } from '../board/timed-cache';
import { excerpt, type Part } from './excerpt';
import type { HomeCall, HomeRace, HomeRunner, HomeSource, HomeView } from './model';

export interface HomeDeps {
  readonly live: Pick<LiveBoard, 'board'>;
  readonly source: HomeSource;
  /** Race time, epoch milliseconds. */
  readonly now: () => number;
  /** Race seconds per wall second. */
  readonly speed: number;
}

export interface Home {
  read(): Promise<HomeView>;
}

const CACHED_MS = 1000;
/** Wall. */
const CALL_CACHED_MS = 15_000;
const RUNNERS = 6;

export function createHome({ live, source, now, speed }: HomeDeps): Home {
  const views = timedCache<HomeView>(CACHED_MS, 1);
  const calls = timedCache<HomeCall>(CALL_CACHED_MS * speed, 1);
  const view = async (nowMs: number): Promise<HomeView> => {
    const [board, { value: call }] = await Promise.all([
      live.board(),
      calls.get('call', nowMs, async () => shortened(source, nowMs)),
    ]);
    return { ...shownOf(board), call };
  };
  return {
    async read() {
      const nowMs = now();
      return (await views.get('home', nowMs, () => view(nowMs))).value;
    },
  };
}

/** What 25 lines have room for: of one race a runner, and of it some books. */
const SHOWN: Part = {
  first: 1,
  each: {
    members: {
      venue: 'whole',
      race_number: 'whole',
      country: 'whole',
      start_time: 'whole',
      runners: {
        first: 1,
        each: {
          members: {
            number: 'whole',
            name: 'whole',
            bookmakers: {
              first: 3,
              each: {
                members: { key: 'whole', win_price: 'whole', age_seconds: 'whole', stale: 'whole' },
                inline: true,
              },
            },
          },
        },
      },
      data_age_seconds: 'whole',
      stale: 'whole',
    },
  },
};

async function shortened(source: HomeSource, nowMs: number): Promise<HomeCall> {
  const { answer, ...call } = await source.call(nowMs);
  return { ...call, lines: excerpt(answer, SHOWN) };
}

function shownOf({ featured, outcomes }: Board): Pick<HomeView, 'race' | 'outcome'> {
  if (featured !== null && (featured.state === 'open' || featured.state === 'suspended'))
    return { race: homeRaceOf(featured), outcome: null };
  return { race: null, outcome: outcomes[0] ?? null };
}

export function homeRaceOf(sheet: RaceSheet): HomeRace {
  const running = sheet.runners
    .filter(({ scratching }) => scratching === null)
    .map((runner) => runnerOf(sheet, runner));
  const byPrice = running.sort(
    (a, b) => (a.best?.price ?? Infinity) - (b.best?.price ?? Infinity) || a.number - b.number,
  );
  return {
    ...titleOf(sheet),
    suspended: sheet.state === 'suspended',
    freshness: sheet.freshness,
    runners: byPrice.slice(0, RUNNERS),
    more: Math.max(0, byPrice.length - RUNNERS),
    books: sheet.books.length,
  };
}

function runnerOf({ books }: RaceSheet, { number, name, win: { best } }: RaceSheet['runners'][number]): HomeRunner {
  const [book, ...others] = best?.books ?? [];
  if (best === null || book === undefined) return { number, name, best: null };
  const { price, stale, staleFromMs } = best;
  const polledMs = books.find(({ title }) => title === book)?.polledMs ?? null;
  return { number, name, best: { price, book, others: others.length, polledMs, stale, staleFromMs } };
}
