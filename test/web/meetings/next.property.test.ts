// Nothing that is over is announced as next: for any stored facts, any choice and any instant (D63).
import fc from 'fast-check';
import { boardState } from '../../../src/domain/race/board-state';
import { type MeetingRace, meetingCell, nextToJump, raceMeeting } from '../../../src/web/board/meeting';
import { racesMain } from '../../../src/web/meetings/day-page';
import { EVERY_MEETING } from '../../../src/web/meetings/filter';
import { meetingsOfRaces } from '../../../src/web/meetings/grouped';
import { meetingStrip } from '../../../src/web/meetings/meeting-strip';
import { NOON } from '../../support/pages/meeting-race';
import { runs } from '../../support/property';
import { anyRaces } from './races';

const instant = fc.integer({ min: -7_200_000, max: 7_200_000 }).map((ms) => NOON + ms);

/** By the facts alone. */
const mayJump = ({ facts, result }: MeetingRace, nowMs: number): boolean =>
  facts.jumped_at === null && facts.status === 'open' && result === null && boardState(facts, nowMs) === 'ahead';

test('the next race is the first of those still to jump, and there is one whenever a race is still to jump', () => {
  fc.assert(
    fc.property(anyRaces, instant, (races, nowMs) => {
      const next = nextToJump(races.map((race) => meetingCell(race, nowMs)));
      const open = races.filter((race) => mayJump(race, nowMs));
      expect(next?.startMs ?? null).toBe(open.length === 0 ? null : Math.min(...open.map(({ startMs }) => startMs)));
      if (next) expect(open.map(({ raceId }) => raceId)).toContain(next.raceId);
    }),
    { numRuns: runs(500) },
  );
});

test('the page of a day shows a time or a countdown only for races still to jump', () => {
  fc.assert(
    fc.property(anyRaces, instant, (races, nowMs) => {
      const day = { day: '2026-11-21', races, before: null, after: null };
      const page = racesMain(day, { nowMs, today: '2026-11-21', filter: EVERY_MEETING }).text;
      const known = new Map(races.map((race) => [race.raceId, race]));
      const cells = [...page.matchAll(/<li><a class="cell cell-([a-z]+)[^"]*" href="\/race\/(\w+)".*?<\/li>/g)];
      expect(cells).toHaveLength(races.length);
      for (const [text, state, raceId] of cells) {
        const open = mayJump(known.get(raceId!)!, nowMs);
        expect([raceId, state === 'ahead', /<time/.test(text)]).toEqual([raceId, open, open]);
      }
      const announced = /class="day-next">Next to jump: <a href="\/race\/(\w+)"/.exec(page)?.[1];
      expect(announced === undefined || mayJump(known.get(announced)!, nowMs)).toBe(true);
      expect(announced === undefined).toBe(!races.some((race) => mayJump(race, nowMs)));
    }),
    { numRuns: runs(300) },
  );
});

test('the strip of a race marks it, leads to its neighbours alone, and has a time only for races still to jump', () => {
  fc.assert(
    fc.property(anyRaces, instant, fc.nat(), (races, nowMs, pick) => {
      fc.pre(races.length > 0);
      const at = pick % races.length;
      const strip = meetingStrip(raceMeeting(races, nowMs)!, races[at]!.raceId, nowMs)!.text;
      const way = (rel: string) => new RegExp(`rel="${rel}" href="/race/(\\w+)"`).exec(strip)?.[1];
      expect([way('prev'), way('next')]).toEqual([races[at - 1]?.raceId, races[at + 1]?.raceId]);
      expect(/href="\/race\/(\w+)" aria-current="page"/.exec(strip)?.[1]).toBe(races[at]!.raceId);
      const cells = strip.split('<li>').slice(1);
      for (const [i, race] of races.entries()) expect(/<time/.test(cells[i]!)).toBe(mayJump(race, nowMs));
    }),
    { numRuns: runs(200) },
  );
});

test('every race is in one meeting, between its first and its last start', () => {
  fc.assert(
    fc.property(anyRaces, (races) => {
      const meetings = meetingsOfRaces(races, NOON);
      const shown = meetings.flatMap((meeting) => meeting.races);
      expect(shown.map(({ raceId }) => raceId).sort()).toEqual(races.map(({ raceId }) => raceId).sort());
      expect(new Set(meetings.map(({ key }) => key)).size).toBe(meetings.length);
      for (const { races: own, firstMs, lastMs } of meetings)
        for (const { startMs } of own) expect(startMs >= firstMs && startMs <= lastMs).toBe(true);
    }),
    { numRuns: runs(200) },
  );
});
