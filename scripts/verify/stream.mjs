// A customer's follower of the stream: the client of docs/stream.md itself, repeatedly compared with `next-to-go`.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 15_000;
/** What was equal in two responses this far apart must have reached the follower. */
const APART_MS = 3000;
/**
 * A difference that persists in this many comparisons of an unchanged race counts; before that, the follower may be
 * behind.
 */
const LOOKS = 3;

/** `read(path)`: the JSON of an operation. `differences`: texts. */
export function followStream({ url, key, guide, read, signal }) {
  const [, block] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(guide, 'utf8')) ?? [];
  const script = stripTypeScriptTypes(block).replaceAll(/^export /gm, '');
  const { Board, follow } = new Function(`${script}\nreturn { Board, follow };`)();
  const board = new Board();
  const state = { ids: 0, looks: 0, compared: 0, behind: 0, differences: [], refused: null };
  follow(`${url}/v1/racing/changes/stream`, key, board, () => state.ids++).catch((error) => {
    state.refused = error.message;
  });
  const standing = new Map();
  const ended = (async () => {
    while (!signal.aborted) {
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
      const before = await racesOf(read);
      await sleep(APART_MS, undefined, { signal }).catch(() => {});
      const own = new Map([...board.races].map(([id, race]) => [id, textOf(race)]));
      const after = await racesOf(read);
      if (signal.aborted || !before || !after) continue;
      state.looks += 1;
      look({ before, after, own, standing, state });
    }
  })();
  return { state, ended };
}

function look({ before, after, own, standing, state }) {
  const ids = new Set([...before.keys(), ...after.keys(), ...own.keys()]);
  for (const id of ids) {
    const text = before.get(id);
    // It changed between the two responses, or comes after the last race in them.
    if (text !== after.get(id) || (text === undefined && isBeyond(own.get(id), after))) continue;
    state.compared += 1;
    if (text === own.get(id)) {
      standing.delete(id);
      continue;
    }
    state.behind += 1;
    const seen = standing.get(id);
    const count = seen?.text === text && seen?.own === own.get(id) ? seen.count + 1 : 1;
    standing.set(id, { text, own: own.get(id), count });
    if (count === LOOKS) state.differences.push(`race ${id}: ${differenceOf(text, own.get(id))}`);
  }
}

const MOST = 200;

async function racesOf(read) {
  const races = await read(`/v1/racing/next-to-go?num_races=${MOST}&hours_ahead=168`);
  return races && new Map(races.map((race) => [race.race_id, textOf(race)]));
}

/** The responses end at 200 races; the stream has no limit. */
function isBeyond(own, after) {
  if (own === undefined || after.size < MOST) return false;
  const last = [...after.values()]
    .map((text) => JSON.parse(text).start_time)
    .sort()
    .at(-1);
  return JSON.parse(own).start_time >= last;
}

function differenceOf(text, own) {
  if (own === undefined) return 'next-to-go has it, the stream does not';
  if (text === undefined) return 'the stream has it, next-to-go does not';
  const [a, b] = [JSON.parse(text), JSON.parse(own)];
  const names = Object.keys(a).filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
  return `differs in ${names.join(', ')}`;
}

/** Without the values that depend on the time of the response. */
function textOf(race) {
  const {
    data_age_seconds,
    freshest_age_seconds,
    refresh_tier,
    stale,
    stale_bookmakers,
    cached,
    cache_age_seconds,
    runners,
    ...shown
  } = race;
  const plain = {
    ...shown,
    runners: runners.map(({ bookmakers, ...runner }) => ({ ...runner, bookmakers: bookmakers.map(withoutAges) })),
  };
  return JSON.stringify(sorted(plain));
}

/** Freshness arrives every five seconds, so it may be behind by that much. */
const withoutAges = ({ age_seconds, stale, last_update, refresh_tier, ...quote }) => quote;

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}
