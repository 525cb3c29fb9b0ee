// One registry's door in one process, without servers; with Redis and PostgreSQL:
// test/activities/registry/doors.test.ts.
import { setTimeout as delay } from 'node:timers/promises';
import { createDoor } from '../../../src/feeds/door/create-door';
import type { DoorEntry, DoorPurpose } from '../../../src/feeds/door/door';

const READ = { failure: null, status: null, retryAfterMs: null, calledOff: false } as const;

function aDoor(formPatienceMs = 3_600_000) {
  const events: string[] = [];
  const wait = async (ms: number): Promise<void> => void events.push(`wait ${ms}`);
  const door = createDoor({ registry: 'topaz', now: () => 0, wait, formPatienceMs });
  const page = async (purpose: DoorPurpose, name: string = purpose, signal?: AbortSignal) => {
    const entry = await door.enter(purpose, signal);
    events.push(entry.kind === 'go' ? name : `${name} ${entry.reason}`);
    await new Promise(setImmediate);
    await (entry as Extract<DoorEntry, { kind: 'go' }>).left?.(READ);
  };
  return { door, events, page };
}

test('the most urgent purpose goes first, then the earliest request, one page at a time with a pause between', async () => {
  const { events, page } = aDoor();
  await Promise.all([
    page('backfill'),
    page('tables'),
    page('form', 'first form'),
    page('form', 'second form'),
    page('collection'),
    page('probe'),
  ]);
  const pages = ['probe', 'collection', 'first form', 'second form', 'tables', 'backfill'];
  expect(events).toEqual(pages.flatMap((name, n) => (n === 0 ? [name] : ['wait 1000', name])));
});

test('a form page that has waited long enough goes before later collections, and behind earlier ones', async () => {
  const { door, events, page } = aDoor(0);
  const first = await door.enter('collection');
  const before = page('collection', 'before');
  const form = page('form');
  // A timer that is set later, and for longer, ends later.
  await delay(5);
  const after = page('collection', 'after');
  await (first as Extract<DoorEntry, { kind: 'go' }>).left(READ);
  await Promise.all([before, form, after]);
  expect(events.filter((event) => !event.startsWith('wait'))).toEqual(['before', 'form', 'after']);
});

test('with a short pause the next page of a collection, and a customer’s, still go before less urgent pages', async () => {
  const events: string[] = [];
  const door = createDoor({ registry: 'topaz', now: () => 0, spacingMs: 0, collectionGapMs: 3_600_000 });
  const enter = async (purpose: DoorPurpose, signal?: AbortSignal) => {
    const entry = await door.enter(purpose, signal);
    events.push(entry.kind === 'go' ? purpose : entry.reason);
    if (entry.kind === 'go') await entry.left(READ);
  };
  const first = (await door.enter('collection')) as Extract<DoorEntry, { kind: 'go' }>;
  const over = new AbortController();
  const history = enter('history', over.signal);
  await first.left(READ);
  await new Promise(setImmediate);
  await enter('collection');
  await new Promise(setImmediate);
  await enter('form');
  over.abort();
  await history;
  expect(events).toEqual(['collection', 'form', 'called_off']);
});

test('a page cancelled while it waits is not read, and delays no other', async () => {
  const { door, events, page } = aDoor();
  const first = await door.enter('collection');
  const calledOff = new AbortController();
  const waiting = [page('form', 'form', calledOff.signal), page('backfill')];
  await new Promise(setImmediate);
  calledOff.abort();
  await waiting[0];
  expect(events).toEqual(['form called_off']);
  await (first as Extract<DoorEntry, { kind: 'go' }>).left(READ);
  await waiting[1];
  expect(events).toEqual(['form called_off', 'wait 1000', 'backfill']);
  await page('form', 'late', calledOff.signal);
  expect(events.at(-1)).toBe('late called_off');
});
