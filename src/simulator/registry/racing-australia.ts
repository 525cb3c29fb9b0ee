// The thoroughbred registry's site, filled from the world: its documents have the structure that public readers
// describe.
import { REGISTRY_STATES, type RegistryState } from '../../domain/registry/registry';
import type { Book, BookReply, BookRequest } from '../books/reply';
import { page } from '../books/reply';
import type { Meeting } from '../world/race';
import type { World } from '../world/world';
import { acceptancesPage } from './acceptances-page';
import { calendarPage } from './calendar-page';
import { conditionPage } from './condition-page';
import { createHistory, type History } from './form/history';
import { horseFormPage, unknownHorsePage } from './form/horse-form-page';
import { frame } from './markup';
import { acceptancesOutMs, entryByCode, meetingByKey, sheetOutMs, stateOf } from './meetings';
import { premierships } from './premiership/premiership-page';
import { resultsCalendarPage } from './results-calendar-page';
import { resultsPage, unknownResultsPage } from './results-page';
import { scratchingsPage } from './scratchings-page';

type MeetingPage = (meeting: Meeting, state: RegistryState, nowMs: number) => string;
type StatePage = (world: World, state: RegistryState, nowMs: number) => string;

const RESULTS = '/FreeFields/Results.aspx';
const OF_STATE: Readonly<Record<string, StatePage>> = {
  '/FreeFields/Calendar.aspx': calendarPage,
  '/FreeFields/Calendar_Results.aspx': resultsCalendarPage,
  '/InteractiveForm/TrackCondition.aspx': conditionPage,
};
const OF_MEETING: Readonly<
  Record<string, { readonly outMs: (meeting: Meeting) => number; readonly page: MeetingPage }>
> = {
  '/FreeFields/Acceptances.aspx': { outMs: acceptancesOutMs, page: acceptancesPage },
  '/FreeFields/Scratchings.aspx': { outMs: sheetOutMs, page: scratchingsPage },
  // The page itself shows that nothing is published yet.
  [RESULTS]: { outMs: () => 0, page: resultsPage },
};

export function racingAustralia(world: World): Book {
  const history = createHistory(world);
  const premiership = premierships(world, history);
  return (request) =>
    ofState(world, request) ??
    ofMeeting(world, request) ??
    ofHorse(world, history, request) ??
    premiership(request) ??
    page(404, frame('Not found', ''));
}

/** Any code that the horse ever had opens its page. */
function ofHorse(world: World, history: History, { path, query, nowMs }: BookRequest): BookReply | null {
  if (path !== '/InteractiveForm/HorseFullForm.aspx') return null;
  const code = query.get('horsecode') ?? query.get('HorseCode') ?? '';
  const entry = entryByCode(world, Number(Buffer.from(code, 'base64').toString('latin1')), nowMs);
  if (!entry) return page(200, unknownHorsePage());
  const { race, runner } = entry;
  return page(200, horseFormPage(race, runner, history.runsOf(runner.name, 'horse', race.meeting.day, nowMs)));
}

function ofState(world: World, { path, query, nowMs }: BookRequest): BookReply | null {
  const state = REGISTRY_STATES.find((one) => one === query.get('State'));
  const write = Object.hasOwn(OF_STATE, path) ? OF_STATE[path] : undefined;
  return state && write ? page(200, write(world, state, nowMs)) : null;
}

/** An unpublished document is a page without races. */
function ofMeeting(world: World, { path, query, nowMs }: BookRequest): BookReply | null {
  const stub = path === RESULTS ? unknownResultsPage() : frame('Racing Australia', '');
  const document = Object.hasOwn(OF_MEETING, path) ? OF_MEETING[path] : undefined;
  if (!document) return null;
  const meeting = meetingByKey(world, query.get('Key') ?? '', nowMs);
  const state = meeting && stateOf(meeting);
  if (!meeting || !state || nowMs < document.outMs(meeting)) return page(200, stub);
  return page(200, document.page(meeting, state, nowMs));
}
