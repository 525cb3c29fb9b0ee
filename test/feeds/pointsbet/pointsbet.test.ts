// The peculiarities of PointsBet: the book whose market state is the race's (D20), and a race reply with little
// documentation.
import { mapMeetings, mapRace } from '../../../src/feeds/pointsbet/map';
import type { PointsBetMeetingsReply, PointsBetRaceReply } from '../../../src/feeds/pointsbet/payload';
import { pointsBetList, pointsBetRace } from '../support/books/pointsbet';

const list = (change: (meeting: PointsBetMeetingsReply[0]['meetings'][0]) => void) => {
  const reply = pointsBetList();
  change(reply[0]!.meetings[0]!);
  return mapMeetings(reply)!;
};
const race = (more: object): PointsBetRaceReply => ({ ...pointsBetRace([{ number: 1, name: 'A', win: 3 }]), ...more });

test.each([
  [1, 'horse'],
  [2, 'harness'],
  [3, 'greyhound'],
  [4, 'greyhound'],
])('racing type %d is %s', (racingType, category) => {
  expect(list((m) => (m.racingType = racingType)).value).toMatchObject([{ category }, { category }]);
});

test('another racing type, or no venue, drops the meeting and counts its races', () => {
  expect(list((m) => (m.racingType = 7))).toMatchObject({ value: [], dropped: { category_unknown: 2 } });
  expect(list((m) => (m.venue = ''))).toMatchObject({ value: [], dropped: { venue_missing: 2 } });
});

test('a card that runs past midnight in Sydney has one meeting day: that of its first race', () => {
  const { value } = list((m) => {
    m.races[0]!.advertisedStartDateTimeUtc = '2026-11-21T12:45:00Z';
    m.races[1]!.advertisedStartDateTimeUtc = '2026-11-21T13:20:00';
  });
  expect(value).toMatchObject([
    { meetingDate: '2026-11-21', startTime: '2026-11-21T12:45:00.000Z' },
    { meetingDate: '2026-11-21', startTime: '2026-11-21T13:20:00.000Z' },
  ]);
});

test.each([
  [{ resultStatus: 0 }, 'OPEN', {}],
  [{ resultStatus: 1 }, 'CLOSED', {}],
  [{ resultStatus: 9 }, 'CLOSED', {}],
  [{ resultStatus: undefined }, null, {}],
  [{ resultStatus: 'Open' }, null, { status_unknown: 1 }],
])('%p: the market is %p', (more, marketStatus, dropped) => {
  expect(mapRace(race(more), '7001')).toMatchObject({ value: { marketStatus }, dropped });
});

test('undocumented values give no place price and no placing', () => {
  const results = { winners: [{ outcome: { fixedPrices: [{ betType: 'WIN' }, { betType: 'PLC' }] } }] };
  const mapped = mapRace(race({ resultStatus: 3, results }), '7001')!;
  expect(mapped.value).toMatchObject({ result: null, runners: [{ win: 3, place: null, toteWin: null }] });
  expect(mapped.dropped).toEqual({ winner_without_documented_runner: 1 });
});

test('a runner’s number may be under either name', () => {
  const runners = [{ runnerNumber: 4, runnerName: 'B', isScratched: false, fluctuations: { current: 5 } }];
  expect(mapRace(race({ runners }), '7001')!.value.runners).toMatchObject([{ number: 4, win: 5 }]);
});

test('another race’s reply is refused; one without a race id is the requested one', () => {
  expect(mapRace(race({}), '7002')).toBeNull();
  expect(mapRace(race({ raceId: undefined }), '7002')!.value.sourceRaceId).toBe('7002');
});
