// `repeats`: what it saves that a reply with the bytes of the last one is not read again. Every connector polls the
// simulated books every 15 s of race time, once as it is and once with each reply read. Prints by book how many replies
// were repeats and the CPU of a poll, with its HTTP. Rounds alternate; the books run in another process.
// Run: node --import tsx bench/repeats.ts [--races 12] [--polls 30] [--book tabtouch]
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { loadConfig } from '../src/config';
import { aetDay } from '../src/domain/time/aet';
import type { Feed, FeedCall } from '../src/feeds/feed';
import { createFeeds } from '../src/feeds/registry';
import { createSimulator } from '../src/simulator/http/server';
import { AU_HORSE } from '../src/simulator/world/tracks';
import { nextMessage } from './support/child-reply';
import { median } from './support/figures';

const { values } = parseArgs({
  options: {
    races: { type: 'string', default: '12' },
    polls: { type: 'string', default: '30' },
    book: { type: 'string' },
  },
});
const races = Number(values.races);
const START_MS = Date.parse('2026-11-21T03:00:00.000Z');
const EVERY_MS = 15_000;
/** Until the code of a connector is compiled. */
const WARM_UP = 5;
const FIRST_MS = START_MS - 9 * 60_000;

/** The child: the books at the moment that the bench last sent. */
async function serveBooks(): Promise<void> {
  let nowMs = FIRST_MS;
  const scripts = AU_HORSE.slice(0, races).map(({ name: venue, category }) => ({
    startMs: START_MS,
    venue,
    category,
    runners: 11,
  }));
  const simulator = createSimulator({ seed: 'repeats', now: () => nowMs, races: scripts });
  process.on('message', (ms: number) => {
    nowMs = ms;
    process.send!(ms);
  });
  process.send!(await simulator.listen(0));
}

/** Reads races, and gives what was read of each: the same object again if the reply was a repeat. */
type Poll = (call: FeedCall) => Promise<readonly unknown[]>;

interface Round {
  readonly ms: number;
  readonly read: readonly unknown[];
}

const readOf = (reply: Awaited<ReturnType<Feed['fetchRace']>>): unknown => {
  if (reply.kind === 'failed') throw new Error(`${reply.reason}: ${reply.detail}`);
  return reply.kind === 'ok' ? reply.value : null;
};

function pollsOf(feed: Feed, ids: readonly string[]): Poll {
  const { bulk } = feed;
  if (!bulk) return async (call) => Promise.all(ids.map(async (id) => readOf(await feed.fetchRace(id, call))));
  return async (call) => {
    const replies = await bulk.fetchRaces(ids.slice(0, bulk.maxRaces), call);
    return [...replies.values()].map(readOf);
  };
}

async function measured(poll: Poll, call: FeedCall): Promise<Round> {
  const before = process.cpuUsage();
  const read = await poll(call);
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, read };
}

async function main(): Promise<void> {
  const child = fork(__filename, process.argv.slice(2), { execArgv: ['--import', 'tsx'] });
  try {
    const url = (await nextMessage(child)) as string;
    let nowMs = FIRST_MS;
    const { feeds: endpoints } = loadConfig({ SIMULATOR_URL: url, FEED_TIMEOUT_MS: '60000' });
    const own = (): ReadonlyMap<string, Feed> => createFeeds(endpoints, () => nowMs);
    const [kept, other] = [own(), own()];
    for (const [key, feed] of kept) {
      if (values.book !== undefined && values.book !== key) continue;
      const moveTo = async (ms: number): Promise<void> => {
        nowMs = ms;
        child.send(ms);
        await nextMessage(child);
      };
      await moveTo(FIRST_MS);
      const list = await feed.listRaces(aetDay(nowMs));
      if (list.kind !== 'ok') throw new Error(`${key}: no list`);
      const ids = list.value.map(({ sourceRaceId }) => sourceRaceId);
      const polls = [pollsOf(feed, ids), pollsOf(other.get(key)!, ids)];
      // A page of TABtouch is compared after it is read from HTTP: its connector has to be a new one, connected before.
      const fresh = async (): Promise<Poll> => {
        if (key !== 'tabtouch') return polls[1]!;
        const one = own().get(key)!;
        await Promise.all(ids.map(() => one.listRaces(aetDay(nowMs))));
        return pollsOf(one, ids);
      };
      const figures = { as: [] as number[], read: [] as number[] };
      let last: readonly unknown[] = [];
      let [all, repeats, unchanged] = [0, 0, 0];
      for (let i = 0; i < Number(values.polls); i++) {
        await moveTo(FIRST_MS + i * EVERY_MS);
        const arms = [
          async () => {
            const { ms, read } = await measured(polls[0]!, { whole: i === 0 });
            if (i > WARM_UP) {
              figures.as.push(ms / read.length);
              all += read.length;
              unchanged += read.filter((each) => each === null).length;
              repeats += read.filter((each, n) => each !== null && each === last[n]).length;
            }
            last = read.map((each, n) => each ?? last[n]);
          },
          async () => {
            const { ms, read } = await measured(await fresh(), { whole: i === 0, onBody: () => undefined });
            if (i > WARM_UP) figures.read.push(ms / read.length);
          },
        ];
        for (const arm of i % 2 === 0 ? arms : arms.reverse()) await arm();
      }
      const share = (n: number): string => `${Math.round((100 * n) / all)} %`;
      console.log(
        `${key.padEnd(14)} ${String(all).padStart(4)} polls, 304 ${share(unchanged).padStart(5)}, repeats ${share(repeats).padStart(5)}` +
          `, CPU ${median(figures.as).toFixed(3)} ms; each read ${median(figures.read).toFixed(3)} ms`,
      );
    }
  } finally {
    child.kill();
  }
}

void (process.send ? serveBooks() : main().then(() => process.exit(0)));
