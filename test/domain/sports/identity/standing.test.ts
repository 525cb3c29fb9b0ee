// Stored matches: which rows are mistaken, which matches are probable twins, and that rulings take precedence (D66).

import type { ListedEvent, StoredEvent } from '../../../../src/domain/sports/identity/listed-event';
import { placeEvents } from '../../../../src/domain/sports/identity/place-events';
import { probableTwins } from '../../../../src/domain/sports/identity/probable-twins';
import { mistakenRows, type StandingRow } from '../../../../src/domain/sports/identity/standing-row';
import type { PricedMatch } from '../../../../src/domain/sports/match';
import { sportOf } from '../../../../src/domain/sports/sports';
import { atOnce } from '../../../../src/in-parts';
import { book, priced, pricedMatch } from '../../../support/sports/matches';

const at = (hours: number): string => new Date(Date.parse('2026-11-21T00:00:00Z') + hours * 3_600_000).toISOString();

describe('rows that today’s rule would not join', () => {
  const standing = (over: Partial<StandingRow> = {}): StandingRow => ({
    bookmaker: 'tab',
    sourceId: null,
    homeTeam: 'Brisbane Broncos',
    awayTeam: 'Sydney Roosters',
    competition: null,
    commenceTime: at(8),
    isTurned: false,
    isRecorded: false,
    isRuled: false,
    isListed: true,
    seenAt: at(0),
    homeShare: null,
    ...over,
  });
  const NRL = { competition: 'NRL' };

  test.each<[string, Partial<StandingRow>, Partial<StandingRow>, string | null]>([
    [
      'another competition, whatever is recorded',
      { ...NRL, isRecorded: true },
      { competition: 'NRLW', isRecorded: true },
      'other_competition',
    ],
    ['a name of women', {}, { homeTeam: 'Broncos (W)', awayTeam: 'Roosters (W)' }, 'other_competition'],
    ['another spelling of it', NRL, { competition: 'NRL Premiership', commenceTime: at(9) }, null],
    ['a start hours away without a competition', {}, { commenceTime: at(10) }, 'start'],
    ['a start further away than teams alone joined: it was the book’s id', {}, { commenceTime: at(50) }, null],
    ['such a start by recorded evidence', { isRecorded: true }, { commenceTime: at(10), isRecorded: true }, null],
    ['prices 40 points apart', { homeShare: 0.75 }, { homeShare: 0.35 }, 'prices'],
    ['prices that were judged', { homeShare: 0.75, isRecorded: true }, { homeShare: 0.35, isRecorded: true }, null],
    ['what an operator ruled', NRL, { competition: 'NRLW', isRuled: true }, null],
  ])('%s', (_, first, second, because) => {
    const rows = [standing(first), standing({ bookmaker: 'neds', ...second })];
    expect(mistakenRows('nrl', rows).map((one) => one.because)).toEqual(because === null ? [] : [because]);
    expect(mistakenRows('nrl', rows).map(({ row }) => row)).toEqual(because === null ? [] : [rows[1]]);
  });
});

describe('probable twins', () => {
  const TEAMS = { homeTeam: 'Brisbane Broncos', awayTeam: 'Melbourne Storm' };
  const of = (bookmaker: string, home: number, away: number, over: Partial<PricedMatch> = {}, listedAs = over) => {
    const { homeTeam: homeName, awayTeam: awayName } = { ...TEAMS, ...listedAs };
    const books = [book(bookmaker, [priced('h2h', { home, away })], { homeName, awayName })];
    return pricedMatch(books, { eventId: bookmaker, ...over });
  };
  const named = { homeTeam: 'C. Alcaraz', awayTeam: 'J. Sinner' };
  const found = (...matches: ReturnType<typeof of>[]) =>
    probableTwins(matches).map(({ younger, equalSides, turned }) => [younger.eventId, equalSides, turned]);

  test('have no book in common, starts within ten minutes, and prices that agree, or nearly agree if no side is equal', () => {
    const one = of('tab', 1.5, 2.5);
    expect(found(one, of('neds', 1.9, 1.9, { homeTeam: 'Brisbane Broncos', awayTeam: 'M. Storm' }))).toEqual([
      ['neds', 2, false],
    ]);
    const cut = { homeTeam: 'Bri B', awayTeam: 'Mel S' };
    expect(found(one, of('neds', 1.9, 1.9, cut))).toEqual([['neds', 0, false]]);
    expect(found(one, of('neds', 1.9, 1.9, { ...cut, awayTeam: 'Sou R' }))).toEqual([]);
    // The shown names are those of one book; another lists the match in full.
    expect(found(one, of('neds', 1.9, 1.9, { homeTeam: 'BB', awayTeam: 'MS' }, cut))).toEqual([['neds', 0, false]]);
    expect(found(one, of('neds', 1.51, 2.5, named))).toEqual([['neds', 0, false]]);
    expect(found(one, of('neds', 2.5, 1.51, named))).toEqual([['neds', 0, true]]);
    expect(found(one, of('neds', 1.9, 1.9, named))).toEqual([]);
    expect(found(one, of('tab', 1.5, 2.5, { ...named, eventId: 'other' }))).toEqual([]);
    expect(found(one, of('neds', 1.5, 2.5, { ...named, sportKey: 'nrlw' }))).toEqual([]);
    expect(found(one, of('neds', 1.5, 2.5, { ...named, commenceTime: '2026-11-21T09:11:00.000Z' }))).toEqual([]);
    expect(found(one, of('neds', 5, 1.15, { awayTeam: 'M. Storm' }))).toEqual([]);
  });
});

describe('rulings', () => {
  const listed = (over: Partial<ListedEvent> = {}): ListedEvent => ({
    sport: sportOf('nrl')!,
    sourceId: 'a',
    homeTeam: 'Broncos',
    awayTeam: 'Roosters',
    competition: 'NRLW',
    commenceTime: at(8),
    homeShare: 0.2,
    h2h: null,
    ...over,
  });
  const stored = (over: Partial<StoredEvent> = {}): StoredEvent => ({
    eventId: 'e1',
    canonicalId: 'e1',
    sportKey: 'nrl',
    homeKey: 'brisbane-broncos-women',
    awayKey: 'sydney-roosters-women',
    commenceTime: at(8),
    listedStarts: [at(8)],
    sourceId: 'a',
    isOwn: true,
    ownShare: null,
    ownH2h: null,
    isRuledOwn: false,
    isRuled: true,
    partedIds: [],
    competitions: ['NRL', 'NRLW'],
    homeShare: 0.8,
    pricedBy: 3,
    ...over,
  });
  const became = (row: ListedEvent, one: StoredEvent, observedAt = at(0)) => {
    const [placed] = atOnce(placeEvents([row], [one], observedAt));
    return placed!.kind === 'known' ? placed!.because : placed!.kind === 'refused' ? placed!.reason : 'new';
  };

  test('override competitions and prices, by the id or the start, until the match has started', () => {
    expect(became(listed(), stored())).toBe('prices_disagree');
    expect(became(listed(), stored({ isRuledOwn: true }))).toBe('ruling');
    expect(became(listed({ sourceId: 'b' }), stored({ isRuledOwn: true }))).toBe('new');
    expect(became(listed({ sourceId: null }), stored({ isRuledOwn: true }))).toBe('ruling');
    expect(became(listed({ commenceTime: at(400) }), stored({ isRuledOwn: true }), at(9))).toBe('new');
    // A later book joins by the competition that it shares with one of the two.
    expect(became(listed({ homeShare: 0.8 }), stored({ isOwn: false, sourceId: null }))).toBe('competition');
    expect(became(listed({ homeShare: 0.8 }), stored({ isOwn: false, sourceId: null, isRuled: false }))).toBe('new');
  });

  test('separate a row for good: by its id, or without one by the book', () => {
    const parted = stored({ isOwn: false, sourceId: null, homeShare: null, partedIds: ['a'] });
    expect(became(listed(), parted)).toBe('new');
    expect(became(listed({ sourceId: null }), parted)).toBe('new');
    expect(became(listed({ sourceId: 'b' }), parted)).toBe('competition');
    expect(became(listed({ sourceId: 'b' }), { ...parted, partedIds: [null] })).toBe('new');
  });
});
