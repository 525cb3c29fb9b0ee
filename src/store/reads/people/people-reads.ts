// What is read of jockeys, drivers and trainers.
import type { Pool } from 'pg';
import type { PersonRole } from '../../../domain/race/person';
import { type LiveRace, racesOfIds } from '../races/find-races';
import { type DirectoryQuery, type DirectoryRow, readDirectory } from './directory';
import {
  type PersonQuery,
  type PersonRide,
  type PersonRun,
  type RidesQuery,
  readAnyRides,
  readNamesOfCode,
  readPersonRides,
  readPersonRuns,
} from './rides';

export interface PeopleReads {
  /** Everybody in the races of some days. */
  directory(query: DirectoryQuery): Promise<readonly DirectoryRow[]>;
  /** Latest start first. */
  rides(query: RidesQuery): Promise<readonly PersonRide[]>;
  /** Of cards of any day, latest start first. */
  anyRides(query: PersonQuery): Promise<readonly PersonRide[]>;
  /** The latest stored runs, newest first. */
  runs(query: PersonQuery): Promise<readonly PersonRun[]>;
  /** The races of rides, with these books' quotes. */
  races(raceIds: readonly string[], bookmakers: readonly string[]): Promise<readonly LiveRace[]>;
  /** The folded names of the registry's person of a code; none if it has no such person. */
  namesOf(role: PersonRole, code: string): Promise<readonly string[]>;
}

export const createPeopleReads = (pool: Pool): PeopleReads => ({
  directory: (query) => readDirectory(pool, query),
  rides: (query) => readPersonRides(pool, query),
  anyRides: (query) => readAnyRides(pool, query),
  runs: (query) => readPersonRuns(pool, query),
  races: (raceIds, bookmakers) => racesOfIds(pool, raceIds, bookmakers),
  namesOf: (role, code) => readNamesOfCode(pool, role, code),
});
