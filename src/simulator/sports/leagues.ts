// The sports that are played, with their teams and the usual size of a line. The teams' names are those that books
// spell in several ways; players are invented. Data, not behaviour.
import { teamSpellings } from '../../domain/sports/identity/teams/team-spellings';

export interface League {
  readonly sportKey: string;
  /** Each side: the name in full, then other spellings of it. */
  readonly sides: readonly (readonly string[])[];
  /** Matches start this often, round the clock. */
  readonly everyMinutes: number;
  /** So many at one start; without: one. */
  readonly together?: number;
  /** Minutes past midnight of the first. */
  readonly firstMinute: number;
  readonly competition: string | null;
  /** Null: books price who wins, nothing else. */
  readonly lines: {
    /** Points that the favourite gives for an even bet, by the log of its odds. */
    readonly margin: number;
    readonly total: number;
  } | null;
}

const PLAYERS = ['Rafe Elmsgate', 'Nadim Calder', 'Tomas Vrell', 'Jonah Whitlock', 'Pieter Osk', 'Luca Marandi']
  .concat(['Emil Brandvik', 'Dario Fenn', 'Kaito Ishimura', 'Owen Sarkady', 'Mats Lindqvern', 'Hugo Belmarsh'])
  .map((name) => [name, name.replace(/^(\S+) (.+)$/, '$2, $1')]);

export const LEAGUES: readonly League[] = [
  {
    sportKey: 'nrl',
    sides: teamSpellings('nrl'),
    everyMinutes: 360,
    firstMinute: 120,
    competition: 'NRL',
    lines: { margin: 9, total: 43 },
  },
  {
    sportKey: 'afl',
    sides: teamSpellings('afl'),
    everyMinutes: 360,
    firstMinute: 180,
    competition: 'AFL',
    lines: { margin: 24, total: 165 },
  },
  {
    sportKey: 'nba',
    sides: teamSpellings('nba'),
    everyMinutes: 240,
    firstMinute: 30,
    competition: null,
    lines: { margin: 7, total: 226 },
  },
  {
    sportKey: 'soccer_epl',
    sides: teamSpellings('soccer_epl'),
    everyMinutes: 360,
    firstMinute: 300,
    competition: 'Premier League',
    lines: { margin: 0.9, total: 3 },
  },
  {
    sportKey: 'tennis_atp',
    sides: PLAYERS,
    everyMinutes: 60,
    firstMinute: 0,
    competition: 'Simulated Open',
    lines: null,
  },
];
