// The sports, with their teams and the usual size of a line. The teams are ones whose names books spell in several
// ways; players are invented. Data, not behaviour.
import { teamSpellings } from '../../domain/sports/identity/teams/team-spellings';

export interface League {
  readonly sportKey: string;
  /** Each side: its full name, then its other spellings. */
  readonly sides: readonly (readonly string[])[];
  /** Matches start this often, round the clock. */
  readonly everyMinutes: number;
  /** How many matches start at the same time; absent: one. */
  readonly together?: number;
  /** The first start, in minutes past midnight. */
  readonly firstMinute: number;
  readonly competition: string | null;
  /** Null: books price only the winner. */
  readonly lines: {
    /** Points that the favourite gives for an even bet, per unit of the logarithm of its odds. */
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
