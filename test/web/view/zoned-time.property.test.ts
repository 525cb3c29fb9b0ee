// A time in the visitor's zone is the same instant, whatever the zone and the season: the text is read back by the zone
// that it names, with offsets written here by hand. A time without a zone is Sydney's; one without a date is on the
// visitor's own day.
import fc from 'fast-check';
import type { Day } from '../../../src/domain/race/race';
import { aetDay, aetDayBounds } from '../../../src/domain/time/aet';
import { timesIn } from '../../../src/web/assets/format.mjs';
import { sydneyText, zonedTime } from '../../../src/web/assets/zoned-time.mjs';
import { runs } from '../../support/property';

const MINUTES: Readonly<Record<string, number>> = {
  AWST: 480,
  ACWST: 525,
  'GMT+8:45': 525,
  ACST: 570,
  ACDT: 630,
  AEST: 600,
  AEDT: 660,
  NZST: 720,
  NZDT: 780,
  UTC: 0,
  GMT: 0,
  BST: 60,
  'GMT+1': 60,
};
const ZONES = [
  ...['Perth', 'Eucla', 'Adelaide', 'Darwin', 'Brisbane', 'Sydney', 'Melbourne', 'Hobart', 'Broken_Hill'].map(
    (city) => `Australia/${city}`,
  ),
  ...['Pacific/Auckland', 'UTC', 'Europe/London'],
];
const TIMES = new Map(ZONES.map((zone) => [zone, timesIn(zone)]));

const HOUR = 3_600_000;
/** Sydney's changes of the clock in 2026 and 2027: autumn and spring. */
const CHANGES = ['2026-04-04T16:00Z', '2026-10-03T16:00Z', '2027-04-03T16:00Z', '2027-10-02T16:00Z'].map(Date.parse);
const instant = fc.oneof(
  fc.integer({ min: Date.parse('2026-01-01T00:00Z'), max: Date.parse('2027-12-31T00:00Z') }),
  fc.tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -30 * HOUR, max: 30 * HOUR })).map(([at, by]) => at + by),
);
const shown = fc.record({
  kind: fc.constantFrom('time', 'clock', 'start'),
  zone: fc.constantFrom('sydney' as const, 'mine' as const, 'both' as const),
  daysOff: fc.integer({ min: -1, max: 1 }),
  /** Minutes from the instant to the race clock. */
  nowOff: fc.integer({ min: -2000, max: 2000 }),
});

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'June', 'July', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

/** To the second or the minute that the text has. A time without a date is on this day. */
function readBack(text: string, today: Day): number {
  const found = /^(?:\w+ (\d+) (\w+), )?(\d+):(\d\d)(?::(\d\d))? ([ap])m\u00a0(\S+)$/.exec(text);
  if (!found) throw new Error(`no time: ${text}`);
  const [, date, month, hour, minute, second = '0', half, zone] = found;
  if (MINUTES[zone!] === undefined) throw new Error(`no zone: ${text}`);
  const [year, month0, date0] = today.split('-').map(Number);
  const day = date ? Date.UTC(year!, MONTHS.indexOf(month!), Number(date)) : Date.UTC(year!, month0! - 1, date0);
  const at = day + (((Number(hour) % 12) + (half === 'p' ? 12 : 0)) * 60 + Number(minute)) * 60_000;
  return at + Number(second) * 1000 - MINUTES[zone!]! * 60_000;
}

const unit = (kind: string): number => (kind === 'clock' ? 1000 : 60_000);

test('whatever names a zone reads back as the instant, and what names none is the server’s', () => {
  fc.assert(
    fc.property(instant, fc.constantFrom(...ZONES), shown, (at, name, { kind, zone, daysOff, nowOff }) => {
      const ms = at - (at % unit(kind));
      const day = aetDay(aetDayBounds(aetDay(ms)).startMs + (12 + 24 * daysOff) * HOUR);
      const nowMs = ms + nowOff * 60_000;
      const { main, second, title } = zonedTime(ms, { kind, day, zone, nowMs }, TIMES.get(name)!);
      const server = sydneyText(ms, kind, day);
      const isAlike = Math.abs(offset(name, ms) - offset('Australia/Sydney', ms)) === 0;
      // A year's turn between the zones would need a year in the text.
      const texts = [main === server ? null : main, second, title].filter((text) => text !== null);
      if (aetDay(ms).endsWith('-01-01') || aetDay(ms).endsWith('-12-31')) return;
      // The visitor's by the visitor's today, wherever Sydney's is; Sydney's beside it as the server has it.
      const own = zone === 'mine' ? main : zone === 'both' ? second : title;
      const sydney = zone === 'mine' ? title : zone === 'both' && second !== null ? main : null;
      if (own !== null && !isAlike) {
        expect([own, readBack(own, dayIn(name, nowMs))]).toEqual([own, ms]);
        expect([own, own.includes(',')]).toEqual([own, dayIn(name, ms) !== dayIn(name, nowMs)]);
      }
      if (sydney !== null) expect([sydney, readBack(sydney, aetDay(ms))]).toEqual([sydney, ms]);
      expect(texts.length > 0).toBe(!isAlike);
      if (isAlike || zone === 'sydney') expect(main).toBe(server);
    }),
    { numRuns: runs(5000) },
  );
});

/** `2026-10-04`, by the calendar of the platform. */
const dayIn = (timeZone: string, ms: number): Day =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(ms) as Day;

/** Minutes ahead of UTC, by the calendar of the platform and not by its names. */
function offset(timeZone: string, ms: number): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(ms);
  const [d, m, y, h, min, s] = parts.split(/\D+/).map(Number);
  return Math.round((Date.UTC(y!, m! - 1, d, h, min, s) - ms) / 60_000);
}

test('on the nights of the change: Perth, Adelaide by half an hour, Brisbane that keeps its clock', () => {
  const read = (at: string, zone: string, choice: 'mine' | 'both' = 'mine') => {
    const { main, second } = zonedTime(
      Date.parse(at),
      { kind: 'time', zone: choice, nowMs: Date.parse('2026-10-03T16:30Z') },
      TIMES.get(`Australia/${zone}`)!,
    );
    return (second === null ? main : `${main} | ${second}`).replaceAll('\u00a0', ' ');
  };
  expect(read('2026-10-03T15:59Z', 'Brisbane')).toBe('1:59 am');
  expect(read('2026-10-03T16:00Z', 'Brisbane')).toBe('2:00 am AEST');
  expect(read('2026-10-03T16:00Z', 'Brisbane', 'both')).toBe('3:00 am AEDT | 2:00 am AEST');
  expect(read('2026-10-03T16:00Z', 'Adelaide')).toBe('1:30 am ACST');
  expect(read('2026-10-03T16:30Z', 'Adelaide')).toBe('3:00 am ACDT');
  expect(read('2026-10-03T16:00Z', 'Perth', 'both')).toBe('3:00 am AEDT | 12:00 am AWST');
  expect(read('2026-10-03T15:59Z', 'Perth', 'both')).toBe('1:59 am AEST | Sat 3 Oct, 11:59 pm AWST');
  // Half past midnight in Perth at the race clock: an hour before it was yesterday there.
  expect(read('2026-10-03T15:30Z', 'Perth')).toBe('Sat 3 Oct, 11:30 pm AWST');
  expect(read('2026-11-21T03:00Z', 'Perth')).toBe('Sat 21 Nov, 11:00 am AWST');
});
