// TABtouch, as far as its pages are documented: the upcoming races as JSON, a race as a page.
// The page must contain nothing readable except what is documented: names and win prices in the table, both prices
// without a name in the model, and Perth's clock.
import { addDays, aetDay, isDay } from '../../../domain/time/aet';
import type { TabTouchModel, TabTouchNextRace } from '../../../feeds/tabtouch/payload';
import type { Race } from '../../world/race';
import type { Track } from '../../world/tracks';
import { racesOf, type World } from '../../world/world';
import { TABTOUCH } from '../profiles';
import { type Book, json, page } from '../reply';
import { closesAtMs, listViewOf, viewOf } from '../view';
import { tabTouchPage } from './page';

const NEXT = 60;

export function tabTouchBook(world: World): Book {
  return ({ path, nowMs }) => {
    if (path === '/api/raceinfo/nextraces') return json(200, nextRaces(world, nowMs));
    const [racing, day = '', code, number, ...rest] = path.slice(1).split('/');
    const listed = racing === 'racing' && rest.length === 0 && isDay(day) && world.listedDays(nowMs).includes(day);
    const meeting = listed ? world.meetings(day).find(({ track }) => track.mnemonic.toLowerCase() === code) : undefined;
    const race = meeting?.races.find((one) => String(one.number) === number);
    return race ? page(200, pageOf(race, nowMs)) : page(404, '<!DOCTYPE html><html><body>Page not found</body></html>');
  };
}

function nextRaces(world: World, nowMs: number): TabTouchNextRace[] {
  const today = aetDay(nowMs);
  const coming = [today, addDays(today, 1)]
    .flatMap((day) => racesOf(world, day))
    .filter((race) => closesAtMs(race, TABTOUCH) > nowMs);
  return coming.slice(0, NEXT).map((race) => nextRow(race, nowMs));
}

/** Some foreign venues carry their country in the name; the list has it nowhere else. */
const nameOf = ({ name, tag }: Track): string => (tag === null ? name : `${name} - ${tag}`);

function nextRow({ meeting, number }: Race, nowMs: number): TabTouchNextRace {
  const { track, day, races } = meeting;
  const { going } = listViewOf(races[0]!, TABTOUCH, nowMs).conditions;
  return {
    meetingId: track.mnemonic,
    groundDescription: `${nameOf(track)}, ${going}`,
    url: `/racing/${day}/${track.mnemonic.toLowerCase()}/${number}`,
    isRaces: track.category === 'horse',
    isTrots: track.category === 'harness',
    isDogs: track.category === 'greyhound',
    hasSpecialOffer: false,
  };
}

function pageOf(race: Race, nowMs: number): string {
  const view = viewOf(race, TABTOUCH, nowMs);
  const inIt = race.runners.map((runner, i) => ({ runner, i })).filter(({ runner }) => !view.out.has(runner.number));
  const model: TabTouchModel = {
    pool: {
      legs: [
        {
          raceNumber: race.number,
          starters: inIt.map(({ i }) => ({
            fixedWinDiv: view.win[i] || null,
            fixedPlaceDiv: view.place[i] || null,
          })),
        },
      ],
    },
  };
  const placed = new Set(view.state.placings.filter(({ position }) => position <= 3).map(({ number }) => number));
  const shown = view.takesBets ? inIt : inIt.filter(({ runner }) => placed.has(runner.number));
  return tabTouchPage({
    title: `${nameOf(race.meeting.track)} Race ${race.number}`,
    model,
    state: view.takesBets
      ? { open: true, atMs: nowMs }
      : {
          open: false,
          atMs: closesAtMs(race, TABTOUCH),
          official: view.state.stage === 'final' ? race.story.finalMs : null,
        },
    rows: shown.map(({ runner, i }) => ({ name: runner.vacant ? 'VACANT BOX' : runner.name, win: view.win[i]! })),
    deductions: view.takesBets
      ? []
      : [...view.out.values()]
          .filter(({ winDeduction }) => winDeduction > 0)
          .map((row) => ({ name: race.runners[row.number - 1]!.name, cents: Math.round(row.winDeduction * 100) })),
  });
}
