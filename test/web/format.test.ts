// Values as people read them: one text for the server and the browser.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as browser from '../../src/web/assets/format.mjs';
import * as server from '../../src/web/format';
import {
  ageText,
  centsText,
  clockText,
  countdownText,
  dateText,
  dividendText,
  isOld,
  lastRunsText,
  ordinalText,
  percentText,
  priceText,
  runTimeText,
  signedPercentText,
  startText,
  zoneText,
} from '../../src/web/format';
import { weatherText } from '../../src/web/weather';

const NOON_SUMMER = Date.parse('2026-11-21T01:00:00Z');

test('times are Sydney times, with the zone of the season', () => {
  expect(clockText(NOON_SUMMER)).toBe('12:00:00 pm');
  expect(dateText(NOON_SUMMER)).toBe('Sat 21 Nov');
  expect(zoneText(NOON_SUMMER)).toBe('AEDT');
  const winter = Date.parse('2026-07-01T14:05:09Z');
  expect(clockText(winter)).toBe('12:05:09 am');
  expect(zoneText(winter)).toBe('AEST');
});

test('a start on another Sydney day has its date', () => {
  const lateSameDay = Date.parse('2026-11-21T12:59:00Z');
  expect(startText(lateSameDay, NOON_SUMMER)).toBe('11:59 pm');
  expect(startText(lateSameDay + 60_000, NOON_SUMMER)).toBe('Sun 22 Nov, 12:00 am');
});

test.each([
  [3_599, '59m 59s'],
  [3_600, '1h 00m'],
  [7_860, '2h 11m'],
  [60, '1m 00s'],
  [59, '59s'],
  [0, '0s'],
  [-1, '+1s'],
  [-63, '+1m 03s'],
])('a countdown of %d s reads %s', (seconds, text) => {
  expect(countdownText(NOON_SUMMER + seconds * 1000, NOON_SUMMER)).toBe(text);
});

test.each([
  [0, '0s'],
  [59.9, '59s'],
  [60, '1m'],
  [3_599, '59m'],
  [7_300, '2h'],
  [-5, '0s'],
])('an age of %d s reads %s', (seconds, text) => {
  expect(ageText(NOON_SUMMER - seconds * 1000, NOON_SUMMER)).toBe(text);
});

test.each([
  [['OCAST', 'Overcast', 'overcast'], 'Overcast'],
  [['SHWRY', 'showers', 'Showery'], 'Showers'],
  [['FINE', 'Fine', ' fine '], 'Fine'],
  [['Raining', 'RAIN'], 'Rain'],
  [['Mostly-Cloudy'], 'Cloudy'],
  [['LIGHT SNOW'], 'Light snow'],
  [['', 'None', null], null],
])('the weather %p reads %s', (raw, text) => {
  expect(raw.map(weatherText)).toEqual(raw.map(() => text));
});

test('ordinals', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111].map(ordinalText)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '22nd',
    '103rd',
    '111th',
  ]);
});

test.each([
  ['3407441021', '41021'],
  ['12x3', '12x3'],
  ['9812x34x', '812x34x'],
  ['x', 'x'],
  ['', ''],
])('of the form %s the last five runs are %s', (form, text) => {
  expect(lastRunsText(form)).toBe(text);
});

test.each([
  [69.45, '1:09.45'],
  [29.85, '29.85'],
  [59.995, '1:00.00'],
  [120, '2:00.00'],
  [null, '–'],
])('a run of %p s took %s', (seconds, text) => {
  expect(runTimeText(seconds)).toBe(text);
});

test('a price is old from two minutes on', () => {
  expect([119, 120, 121].map((seconds) => isOld(NOON_SUMMER - seconds * 1000, NOON_SUMMER))).toEqual([
    false,
    false,
    true,
  ]);
});

test('unknown is a dash, never 0', () => {
  expect([priceText(null), percentText(null)]).toEqual(['–', '–']);
});

test('prices show cents as long as they are significant', () => {
  expect([1.04, 9.5, 26, 101].map(priceText)).toEqual(['1.04', '9.50', '26.00', '101']);
  expect(dividendText(1904.1)).toBe('1,904.10');
});

test('figures are rounded half up by their decimals, as everywhere', () => {
  expect([1.005, 100.5].map(priceText)).toEqual(['1.01', '101']);
  expect([percentText(0.25), percentText(12.5, 0), signedPercentText(-1.25), centsText(0.0805)]).toEqual([
    '0.3%',
    '13%',
    '−1.3%',
    '8.1c',
  ]);
});

describe("the browser's file", () => {
  const ASSETS = join(__dirname, '../../src/web/assets');
  const textOf = (name: string): string => readFileSync(join(ASSETS, name), 'utf8');

  test("has the server's own functions", () => {
    const { ageText, clockText, countdownText, dateText, isOld, startText, timeText, zoneText } = browser;
    expect(server).toMatchObject({ ageText, clockText, countdownText, dateText, isOld, startText, timeText, zoneText });
  });

  test('is where every script has its texts from', () => {
    const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.mjs') && name !== 'format.mjs');
    expect(scripts.length).toBeGreaterThan(10);
    const formats = /\bIntl\b|\.toLocale|\.toFixed|\.padStart|\.toISOString/;
    expect(formats.test(textOf('format.mjs'))).toBe(true);
    // It formats nothing: it asks whether a language is one.
    expect(scripts.filter((name) => formats.test(textOf(name)))).toEqual(['language.mjs']);
    for (const name of ['board.mjs', 'charts.mjs', 'chart-marks.mjs', 'zoned-time.mjs'])
      expect(textOf(name)).toContain("'./format.mjs'");
  });

  test('writes a price in cents, as the chart has it, as the page does', () => {
    for (let cents = 101; cents <= 30_000; cents++) {
      const price = cents / 100;
      if (browser.roundedPriceText(price) !== priceText(price)) throw new Error(`${price} is written in two ways`);
    }
  });
});
