// Every connector reads its book's replies, over real HTTP and in the book's own format. Values that a format lacks are
// expected as null. Faults of the transport are in faults.test.ts; the peculiarities of one book are in that book's own
// file.
import type { BookSnapshot } from '../../src/domain/race/feed-race';
import { CONNECTED_BOOKS, createFeeds } from '../../src/feeds/registry';
import { ABROAD_START, type Abroad, type Book, barrierOf, FACTS, type Lack, STAMP, STARTS } from './support/book';
import { serve } from './support/book-server';
import { bookUnderTest, dropped, FIELD, NOW, value } from './support/book-under-test';
import { BOOKS } from './support/books';

const AT = new Date(NOW).toISOString();

test('every connected book is tested, and a book without a connector is refused at start-up', () => {
  expect(BOOKS.map((book) => book.key).sort()).toEqual([...CONNECTED_BOOKS].sort());
  const endpoint = { baseUrl: 'http://127.0.0.1:1', contact: 'a@example.org', partner: 'p', timeoutMs: 200 };
  expect(() => createFeeds({ bet365: endpoint }, () => NOW)).toThrow('bet365');
});

describe.each(BOOKS)('$key', (book) => {
  const subject = bookUnderTest(book);
  const { lacks } = book;
  /** `value` if the book's format has it, otherwise null. */
  const orNull = <T>(lack: Lack, sent: T): T | null => (lacks.has(lack) ? null : sent);
  const number = (sent: number): number | null => orNull('runnerNumber', sent);
  const whenItHas = (...needed: readonly Lack[]) => (needed.some((lack) => lacks.has(lack)) ? test.skip : test);
  const showRace = (...runners: Parameters<Book['race']>[0]) => subject.server.answer(serve(book.race(runners)));

  test('calls the documented paths and identifies itself', async () => {
    const { server } = subject;
    const urls = () => server.requests.map((request) => request.url).sort();
    server.answer(serve(book.list()));
    value(await subject.races());
    expect(urls()).toEqual([...book.listPaths].sort());
    server.answer(serve(book.race(FIELD)));
    value(await subject.race());
    expect(urls()).toEqual([...book.racePaths].sort());
    for (const request of server.requests) expect(request.headers['user-agent']).toContain('ops@example.org');
  });

  test('lists races with everything that identity needs', async () => {
    subject.server.answer(serve(book.list()));
    const reply = await subject.races();
    const races = value(reply);
    expect(dropped(reply)).toEqual({});
    expect(races).toMatchObject(
      STARTS.map((startTime, i) => ({
        category: 'horse',
        country: orNull('country', 'AU'),
        meetingDate: '2026-11-21',
        raceNumber: orNull('raceNumber', i + 1),
        startTime: orNull('listStart', startTime),
      })),
    );
    expect(races[0]!.sourceRaceId).toBe(book.sourceRaceId);
    expect(new Set(races.map((listed) => listed.sourceRaceId)).size).toBe(2);
    expect(races.map((listed) => listed.venue.toLowerCase())).toEqual(['flemington', 'flemington']);
  });

  whenItHas('abroad')(
    'a list of the whole world: every race with its own country, and none taken for Australian',
    async () => {
      const abroad: readonly Abroad[] = [
        { venue: 'Ascot', country: 'GB' },
        { venue: 'Laurel Park', country: 'US' },
        { venue: 'Hanshin', country: 'JP' },
        { venue: 'Nowhere', country: 'XX' },
      ];
      subject.server.answer(serve(book.list([], abroad)));
      const races = value(await subject.races());
      expect(races).toHaveLength(2 + abroad.length);
      const unsaid = lacks.has('country') || lacks.has('countryAbroad');
      abroad.forEach(({ venue, country }, i) => {
        expect(races[2 + i]).toMatchObject({
          country: unsaid || country === 'XX' ? null : country,
          meetingDate: '2026-11-21',
          startTime: orNull('listStart', ABROAD_START),
        });
        expect(races[2 + i]!.venue.toLowerCase()).toBe(venue.toLowerCase());
      });
      expect(races.slice(0, 2).map((race) => race.country)).toEqual(Array(2).fill(orNull('country', 'AU')));
    },
  );

  whenItHas('strayRows')('an unreadable race drops that race and is counted, never the list', async () => {
    subject.server.answer(serve(book.list([null, 'text', {}])));
    const reply = await subject.races();
    expect(value(reply)).toHaveLength(2);
    expect(Object.values(dropped(reply)!).reduce((a, b) => a + b, 0)).toBe(3);
    expect(dropped(reply)).toMatchObject({ race_unreadable: 2 });
  });

  test('reads the runners, the market and the start, with both times', async () => {
    showRace(...FIELD);
    const reply = await subject.race();
    expect(reply).toMatchObject({ kind: 'ok', observedAt: AT, bookAt: book.stamped ? STAMP : null, dropped: {} });
    expect(value(reply)).toMatchObject({
      sourceRaceId: book.sourceRaceId,
      startTime: orNull('start', STARTS[0]),
      marketStatus: orNull('marketStatus', 'OPEN'),
      inPlay: book.exchange ? false : null,
      result: null,
      runners: FIELD.map((runner) => ({
        name: runner.name,
        number: number(runner.number),
        win: runner.win,
        place: orNull('place', FACTS.place),
        barrier: orNull('barrier', barrierOf(runner)),
        jockey: orNull('jockey', FACTS.jockey),
        trainer: orNull('trainer', FACTS.trainer),
        weightKg: orNull('weight', FACTS.weightKg),
        form: orNull('form', FACTS.form),
        scratching: null,
        top2: null,
        top3: null,
        top4: null,
      })),
    });
    for (const runner of value(reply).runners) expect(runner.toteWin === null).toBe(lacks.has('tote'));
  });

  test('a book whose clock differs by hours changes neither time: observedAt is ours, bookAt the book’s', async () => {
    for (const hours of [-7, 7]) {
      subject.now = NOW + hours * 3_600_000;
      subject.server.answer(serve(book.race(FIELD), { headers: { date: 'Fri, 20 Nov 2026 20:00:00 GMT' } }));
      expect(await subject.race({ whole: true })).toMatchObject({
        observedAt: new Date(subject.now).toISOString(),
        bookAt: book.stamped ? STAMP : null,
        value: { startTime: orNull('start', STARTS[0]) },
      });
    }
  });

  whenItHas('scratchings')('a scratched runner is never priced, whatever it still shows', async () => {
    for (const win of [4.2, 0, undefined]) {
      showRace({ ...FIELD[0]!, win, scratched: true }, FIELD[1]!);
      const reply = await subject.race();
      const [out, stays] = value(reply).runners;
      expect(out).toMatchObject({ name: 'Alpha', win: null, place: null, toteWin: null });
      expect(out!.scratching).not.toBeNull();
      expect(stays).toMatchObject({ name: "Bravo's Best", number: number(2), win: 11, scratching: null });
      expect(dropped(reply)).toEqual({});
    }
  });

  test('0, null and a missing price are neither a price nor a drop', async () => {
    showRace(
      { number: 1, name: 'Zero', win: 0 },
      { number: 2, name: 'Missing' },
      { number: 3, name: 'Null', win: null },
      { number: 4, name: 'Priced', win: 3 },
    );
    const reply = await subject.race();
    expect(value(reply).runners.map((runner) => runner.win)).toEqual([null, null, null, 3]);
    expect(dropped(reply)).toEqual({});
  });

  test.each([
    [1, 'win_not_above_1'],
    [0.5, 'win_not_above_1'],
    [-3, 'win_not_above_1'],
    ['SCR', 'win_not_a_number'],
  ])('a price of %p is dropped with its reason, the runner stays', async (win, reason) => {
    if (lacks.has('textPrices') && typeof win === 'string') return;
    showRace({ number: 1, name: 'Odd', win }, FIELD[1]!);
    const reply = await subject.race();
    expect(value(reply).runners.map((runner) => runner.win)).toEqual([null, 11]);
    expect(dropped(reply)).toEqual({ [reason]: 1 });
  });

  whenItHas('textPrices')('a price that comes as a string is a price', async () => {
    showRace({ number: 1, name: 'Text', win: '4.60' });
    expect(value(await subject.race()).runners[0]!.win).toBe(4.6);
  });

  whenItHas('runnerNumber').each([
    [{ number: 0, name: 'No Number', win: 3 }, 'runner_number_unreadable'],
    [{ number: 1, name: 'Twice', win: 3 }, 'runner_number_repeated'],
  ])('a bad runner %p drops that runner, never the race', async (bad, reason) => {
    showRace(FIELD[0]!, bad);
    const reply = await subject.race();
    expect(value(reply).runners.map((runner) => runner.name)).toEqual(['Alpha']);
    expect(dropped(reply)).toEqual({ [reason]: 1 });
  });

  test('a runner without a name drops that runner, never the race', async () => {
    showRace(FIELD[0]!, { number: 2, name: '  ', win: 3 });
    const reply = await subject.race();
    expect(value(reply).runners.map((runner) => runner.name)).toEqual(['Alpha']);
    expect(dropped(reply)).toEqual({ runner_name_missing: 1 });
  });

  test('names are decoded: diacritics, other alphabets, markup characters', async () => {
    const names = ['Crème Brûlée', 'Ørsted Ångström', "Tom & Jerry's <Best>", '"Quoted"', 'ディープ'];
    showRace(...names.map((name, i) => ({ number: i + 1, name, win: 3 + i })));
    expect(namesOf(value(await subject.race()))).toEqual(names);
  });

  test('unknown fields change nothing', async () => {
    const decorate = book.decorate ?? ((body: string) => JSON.stringify(decorated(JSON.parse(body))));
    const replies = async () => [value(await subject.races()), value(await subject.race({ whole: true }))];
    // Both kinds of reply from the same host: the list is called first.
    const show = (change: Parameters<typeof serve>[1]) => {
      const list = serve(book.list(), change);
      const race = serve(book.race(FIELD), change);
      subject.server.answer((request, response) =>
        (book.listPaths.includes(request.url!) ? list : race)(request, response),
      );
    };
    show({});
    const plain = await replies();
    show({ body: (served) => decorate(served.body.toString()) });
    expect(await replies()).toEqual(plain);
  });
});

const namesOf = (snapshot: BookSnapshot) => snapshot.runners.map((runner) => runner.name);

/** The same value with an undocumented field in every object. */
function decorated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decorated);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, field]) => [key, decorated(field)]);
  return { ...Object.fromEntries(entries), brandNewField: { deep: [1, null] } };
}
