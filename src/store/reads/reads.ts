// Everything that the API reads: one statement per query, all of its SQL in this folder. Never writes.
import type { Pool } from 'pg';
import type { AnimalQuery } from '../../domain/form/animal';
import type { Horse } from '../../domain/form/horse';
import type { RunCategory, StoredRun } from '../../domain/form/stored-run';
import type { FindingStatus } from '../../domain/quality/audit';
import type { Day, Instant } from '../../domain/race/race';
import type { RegistryDoor } from '../../domain/registry/door';
import type { PricedMatch } from '../../domain/sports/match';
import type { MatchListings } from '../../domain/sports/match-listings';
import { type BetslipIds, readBetslipIds } from '../betslip';
import { readFormAges, readNewestForm, type StoredForm, type StoredFormAge } from '../forms';
import { readDoor } from '../registry/doors';
import { type ArchiveReads, createArchiveReads } from './archive/archive-reads';
import { type ArchivedClose, readArchivedCloses } from './archive/archived-closes';
import { type ConnectorHealthRow, readConnectorHealth } from './connectors/connector-health';
import { type ConnectorStatusQuery, type ConnectorStatusRow, readConnectorStatus } from './connectors/connector-status';
import { readUptime, readUptimeHistory, type UptimeHistory, type UptimeRow } from './connectors/uptime';
import { type AcceptedMeeting, readAcceptances } from './meetings/acceptances';
import {
  type MeetingRaceRow,
  type MeetingSpan,
  readMeetingOf,
  readMeetingRaces,
  readMeetingSpan,
  readMeetingsOfVenue,
} from './meetings/meeting-races';
import { type ConditionsQuery, type MeetingTrack, readTrackConditions } from './meetings/track-conditions';
import { readVenueRecord, type VenueRecordRow } from './meetings/venue-record';
import { readVenues, type VenueRow } from './meetings/venues';
import { createPeopleReads, type PeopleReads } from './people/people-reads';
import { type PremiershipsQuery, readPremierships, type StoredPremiership } from './premierships';
import { type CapturedBook, type CapturedQuery, readCapturedPrices } from './prices/captured-prices';
import { type BookSeries, type ClosingQuery, readClosingPrices } from './prices/closing-prices';
import { type AuditRow, type FindingRow, readAudit, readFindings, readNewestAudits } from './quality/audits';
import { type ListedCounts, readListedCounts } from './quality/listed';
import { type PushedRaceRow, readPushedMatches, readPushedRaces } from './quality/pushed';
import type { BoardQuery, BoardRace } from './races/board';
import { createBoardCache } from './races/board-cache';
import {
  type BoardEnd,
  type BoardSince,
  type BoardSinceQuery,
  readBoardEnds,
  readBoardSince,
  readBoardWritten,
  type WrittenQuery,
  type WrittenRace,
} from './races/board-marks';
import { type Changes, type ChangesQuery, readChanges, readSettled, type Settlement } from './races/changes';
import { type DayRacesQuery, readDayRaces } from './races/day-races';
import { type EventRace, type EventsQuery, readEvents } from './races/events';
import { findRaces, type LiveRace, type RaceQuery } from './races/find-races';
import { type BetRace, type BetRacesQuery, readBetRaces } from './results/bet-races';
import { type CoverageQuery, type CoverageRead, readResultsCoverage } from './results/coverage';
import { type RaceForm, type RunName, type RunRow, readPastRuns, readRaceForm } from './results/form';
import { type RaceExotics, readRaceExotics } from './results/markets';
import { type ResultRow, type ResultsQuery, readResults } from './results/results';
import { type RunSpan, readAnimalRuns, readRunSpan } from './runs/animal-runs';
import { readHorses } from './runs/horses';
import { type RunOfRace, type RunPrices, readRunPrices } from './runs/price-marks';
import { type FoundNames, readCardName, readRunnersNamed } from './runs/runner-names';
import { readStarts, type StartRow, type StartsQuery } from './runs/starts';
import { type ClosedMatch, type ClosingMatchesQuery, readClosedMatches } from './sports/closing';
import {
  readSportCoverage,
  readSportMarketCounts,
  type SportCoverageRow,
  type SportMarketCounts,
} from './sports/coverage';
import { createKeptMovements } from './sports/kept-movements';
import { readListedMatch } from './sports/listings';
import { createMatchBoard } from './sports/match-board';
import { type MatchesQuery, readCompetitions } from './sports/matches';
import type { MovementsQuery, StoredMovement } from './sports/movements';
import { type HistoryQuery, type MatchHistory, readSportHistory } from './sports/series';

interface MeetingReads {
  /** By start. */
  ofDay(day: Day): Promise<readonly MeetingRaceRow[]>;
  /** By number; empty if there is no such race. */
  ofRace(raceId: string): Promise<readonly MeetingRaceRow[]>;
  /** Whole days, newest first: from the next week back through 60 days, or fewer if these have too many races. */
  ofVenue(venueId: string, today: Day): Promise<readonly MeetingRaceRow[]>;
  span(): Promise<MeetingSpan>;
  /** Of the closes of a venue's races, by code. */
  record(venueId: string, from: Day): Promise<readonly VenueRecordRow[]>;
}

interface SearchReads {
  /** The first `most` whose folded name begins with `key`. */
  runners(key: string, most: number): Promise<FoundNames>;
  /** As its newest card spells it; null: it was on none of this code. */
  cardName(category: RunCategory, key: string): Promise<string | null>;
  /** The cards of some days that list a runner, by start. */
  starts(query: StartsQuery): Promise<readonly StartRow[]>;
}

export interface Reads {
  /** Throws if the database does not answer. */
  ping(): Promise<void>;
  events(query: EventsQuery): Promise<readonly EventRace[]>;
  board(query: BoardQuery): Promise<readonly BoardRace[]>;
  /** The races that match a query for one race, in any state, with these books' quotes. */
  findRaces(query: RaceQuery, bookmakers: readonly string[]): Promise<readonly LiveRace[]>;
  /** The races of a day that have left the board, in batches by start, with these books' last quotes. */
  dayRaces(query: DayRacesQuery): AsyncGenerator<readonly LiveRace[]>;
  /** Captured win prices of these races, per race and book. */
  capturedPrices(query: CapturedQuery): Promise<readonly CapturedBook[]>;
  /** The races that a list of bets names, in any state, with their outcomes. */
  betRaces(query: BetRacesQuery): Promise<readonly BetRace[]>;
  /** The price series in which these runners' closing lines are found, per book. */
  closingPrices(query: ClosingQuery): Promise<readonly BookSeries[]>;
  /** Those of runners whose races' ticks are gone. */
  archivedCloses(query: Omit<ClosingQuery, 'from'>): Promise<readonly ArchivedClose[]>;
  /** Null while the race has no result. */
  raceExotics(raceId: string): Promise<RaceExotics | null>;
  /** Of a stored race: its runners, and earlier runs under their names. */
  raceForm(raceId: string): Promise<RaceForm>;
  /** The stored details of these runs. */
  pastRuns(runs: readonly RunName[]): Promise<readonly RunRow[]>;
  /** Every stored run of an animal, newest first. */
  animalRuns(category: RunCategory, query: AnimalQuery): Promise<readonly StoredRun[]>;
  /** What the run store covers. */
  runSpan(category: RunCategory): Promise<RunSpan>;
  /** The consensus on these runners of archived races before the jump, unordered. */
  runPrices(runs: readonly RunOfRace[]): Promise<readonly RunPrices[]>;
  /** The horses that these queries mean, in order; null for a horse that no feed has reported. */
  horses(queries: readonly AnimalQuery[]): Promise<readonly (Horse | null)[]>;
  /** The newest stored form page of the horse, under any of its codes. */
  formOf(horse: Horse): Promise<StoredForm | null>;
  /** How old the newest page of each of these horses is, in order. */
  formAges(horses: readonly Pick<Horse, 'key' | 'refs'>[]): Promise<readonly (StoredFormAge | null)[]>;
  results(query: ResultsQuery): Promise<readonly ResultRow[]>;
  resultsCoverage(query: CoverageQuery): Promise<CoverageRead>;
  acceptances(day: Day): Promise<readonly AcceptedMeeting[]>;
  trackConditions(query: ConditionsQuery): Promise<readonly MeetingTrack[]>;
  premierships(query: PremiershipsQuery): Promise<readonly StoredPremiership[]>;
  /**
   * The obstacle between us and a registry's site; null: there never was one. `doorAt` returns its state at an instant.
   */
  registryDoor(registry: string): Promise<RegistryDoor | null>;
  /** The races of meetings, whatever their state, for the pages. */
  readonly meetings: MeetingReads;
  readonly search: SearchReads;
  readonly people: PeopleReads;
  venues(nowIso: string): Promise<readonly VenueRow[]>;
  /** Throws if the database does not answer: a client of a cached answer would miss changes without noticing. */
  changes(query: ChangesQuery): Promise<Changes>;
  /** Every write of the board that a later read does not see has the mark `settledMs` or a later one. */
  boardPlace(): Promise<Settlement>;
  /** The races of `board`, and which were written since an instant. */
  boardSince(query: BoardSinceQuery): Promise<BoardSince>;
  /** Races that the board shows differently than before, or that have left it. */
  boardWritten(query: WrittenQuery): Promise<readonly WrittenRace[]>;
  /** The outcomes of these races. */
  boardEnds(raceIds: readonly string[], nowIso: Instant): Promise<readonly BoardEnd[]>;
  /** The ids of these races at these books, without books whose links do not open. */
  betslipIds(raceIds: readonly string[], bookmakerKeys: readonly string[]): Promise<readonly BetslipIds[]>;
  connectorHealth(): Promise<readonly ConnectorHealthRow[]>;
  connectorStatus(query: ConnectorStatusQuery): Promise<readonly ConnectorStatusRow[]>;
  uptime(nowIso: string): Promise<UptimeRow>;
  uptimeHistory(nowIso: string, holeMs: number): Promise<UptimeHistory>;
  /** Matches that start after an instant, with all their prices. */
  matches(query: MatchesQuery): Promise<readonly PricedMatch[]>;
  /** A match in any state, with the rows of these books. Null: there is no such match. */
  listedMatch(eventId: string, bookmakers: readonly string[]): Promise<MatchListings | null>;
  /** Every competition that a book ever named for a sport. */
  competitions(sportKey: string): Promise<readonly string[]>;
  /** Every captured price of a page of matches. */
  sportHistory(query: HistoryQuery): Promise<readonly MatchHistory[]>;
  /** What changed between captures, newest first. */
  sportMovements(query: MovementsQuery): Promise<readonly StoredMovement[]>;
  /** Which sports each book covers. */
  sportCoverage(nowIso: string): Promise<readonly SportCoverageRow[]>;
  /** Priced markets of matches to come, by age. */
  sportMarketCounts(
    bookmakers: readonly string[],
    nowIso: Instant,
    staleAfterSeconds: number,
  ): Promise<SportMarketCounts>;
  /** The last prices of a page of matches before their start. */
  closedMatches(query: ClosingMatchesQuery): Promise<readonly ClosedMatch[]>;
  /** Races on the board and matches to come that these books list, and their listings of them. */
  listedCounts(bookmakers: readonly string[], nowIso: Instant): Promise<ListedCounts>;
  /**
   * The newest run of each of these sports that has ended or failed. A run that has not ended failed if it began before
   * `failedBefore`.
   */
  newestAudits(sportKeys: readonly string[], failedBefore: Instant): Promise<readonly AuditRow[]>;
  /** Null: there is no such run. */
  audit(runId: string, failedBefore: Instant): Promise<AuditRow | null>;
  findings(runId: string, status: FindingStatus | null, bookmakers: readonly string[]): Promise<readonly FindingRow[]>;
  /** Among the races of a push, the nearest that start after `after`. */
  pushedRaces(
    bookmakerKey: string,
    sourceRaceIds: readonly string[],
    after: Instant,
    limit: number,
  ): Promise<readonly PushedRaceRow[]>;
  /** Ids of some matches that a push listed. */
  pushedMatches(bookmakerKey: string, observedAt: Instant, draw: string, limit: number): Promise<readonly string[]>;
  /** The permanent archive. */
  readonly archive: ArchiveReads;
}

/** `streams`: for data read while a client takes it. Default: the same. */
export function createReads(pool: Pool, streams = pool): Reads {
  return {
    async ping() {
      await pool.query('SELECT 1');
    },
    events: (query) => readEvents(pool, query),
    board: createBoardCache(pool),
    findRaces: (query, bookmakers) => findRaces(pool, query, bookmakers),
    dayRaces: (query) => readDayRaces(pool, query),
    capturedPrices: (query) => readCapturedPrices(pool, query),
    betRaces: (query) => readBetRaces(pool, query),
    closingPrices: (query) => readClosingPrices(pool, query),
    archivedCloses: (query) => readArchivedCloses(pool, query),
    raceExotics: (raceId) => readRaceExotics(pool, raceId),
    raceForm: (raceId) => readRaceForm(pool, raceId),
    pastRuns: (runs) => readPastRuns(pool, runs),
    animalRuns: (category, query) => readAnimalRuns(pool, category, query),
    runSpan: (category) => readRunSpan(pool, category),
    runPrices: (runs) => readRunPrices(pool, runs),
    horses: (queries) => readHorses(pool, queries),
    formOf: (horse) => readNewestForm(pool, horse),
    formAges: (horses) => readFormAges(pool, horses),
    results: (query) => readResults(pool, query),
    resultsCoverage: (query) => readResultsCoverage(pool, query),
    acceptances: (day) => readAcceptances(pool, day),
    trackConditions: (query) => readTrackConditions(pool, query),
    premierships: (query) => readPremierships(pool, query),
    registryDoor: (registry) => readDoor(pool, registry),
    venues: (nowIso) => readVenues(pool, nowIso),
    meetings: meetingReads(pool),
    search: searchReads(pool),
    people: createPeopleReads(pool),
    changes: (query) => readChanges(pool, query),
    ...boardMarkReads(pool),
    betslipIds: (raceIds, bookmakerKeys) => readBetslipIds(pool, raceIds, bookmakerKeys),
    connectorHealth: () => readConnectorHealth(pool),
    connectorStatus: (query) => readConnectorStatus(pool, query),
    uptime: (nowIso) => readUptime(pool, nowIso),
    uptimeHistory: (nowIso, holeMs) => readUptimeHistory(pool, nowIso, holeMs),
    matches: createMatchBoard(pool),
    listedMatch: (eventId, bookmakers) => readListedMatch(pool, eventId, bookmakers),
    competitions: (sportKey) => readCompetitions(pool, sportKey),
    sportHistory: (query) => readSportHistory(pool, query),
    sportMovements: createKeptMovements(pool),
    sportCoverage: (nowIso) => readSportCoverage(pool, nowIso),
    closedMatches: (query) => readClosedMatches(pool, query),
    listedCounts: (bookmakers, nowIso) => readListedCounts(pool, bookmakers, nowIso),
    newestAudits: (sportKeys, failedBefore) => readNewestAudits(pool, sportKeys, failedBefore),
    audit: (runId, failedBefore) => readAudit(pool, runId, failedBefore),
    sportMarketCounts: (bookmakers, nowIso, staleAfterSeconds) =>
      readSportMarketCounts(pool, bookmakers, nowIso, staleAfterSeconds),
    findings: (runId, status, bookmakers) => readFindings(pool, runId, status, bookmakers),
    pushedRaces: (book, ids, after, limit) => readPushedRaces(pool, book, ids, after, limit),
    pushedMatches: (book, at, draw, limit) => readPushedMatches(pool, book, at, draw, limit),
    archive: createArchiveReads(pool, streams),
  };
}

type BoardMarkReads = Pick<Reads, 'boardPlace' | 'boardSince' | 'boardWritten' | 'boardEnds'>;

const boardMarkReads = (pool: Pool): BoardMarkReads => ({
  boardPlace: () => readSettled(pool),
  boardSince: (query) => readBoardSince(pool, query),
  boardWritten: (query) => readBoardWritten(pool, query),
  boardEnds: (raceIds, nowIso) => readBoardEnds(pool, raceIds, nowIso),
});

const meetingReads = (pool: Pool): MeetingReads => ({
  ofDay: (day) => readMeetingRaces(pool, day),
  ofRace: (raceId) => readMeetingOf(pool, raceId),
  ofVenue: (venueId, today) => readMeetingsOfVenue(pool, venueId, today),
  span: () => readMeetingSpan(pool),
  record: (venueId, from) => readVenueRecord(pool, venueId, from),
});

const searchReads = (pool: Pool): SearchReads => ({
  runners: (key, most) => readRunnersNamed(pool, key, most),
  cardName: (category, key) => readCardName(pool, category, key),
  starts: (query) => readStarts(pool, query),
});
