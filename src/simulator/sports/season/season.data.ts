// The season of every sport by the source's keys: leagues whose teams are in the service's tables, and others. Data,
// not behaviour.
import { LEAGUES, type League } from '../leagues';
import { clubsOf, NATIONS, playersOf, SOCCER_CLUBS } from './sides.data';

export interface SeasonLeague extends League {
  /** The source's key of the sport. */
  readonly sourceKey: string;
  readonly group: string;
  /** The source's name of the competition. */
  readonly title: string;
  /**
   * Two matches of the same pair on one day: the second game of a doubleheader, or two squads of each club at once,
   * each at home in one.
   */
  readonly twice?: 'doubleheader' | 'split_squads';
  /** The women's teams of another league's clubs play on the same ground, two hours before the men. */
  readonly womenOf?: string;
  /** A player may withdraw before the match. */
  readonly walkovers?: true;
}

const nick = (text: string): readonly string[] => text.split(' ');

const season = (
  sportKey: string,
  [sourceKey, group, title]: readonly [string, string, string],
  sides: League['sides'],
  [everyMinutes, firstMinute]: readonly [number, number],
  more: Partial<SeasonLeague> = {},
): SeasonLeague => ({
  sportKey,
  sourceKey,
  group,
  title,
  sides,
  everyMinutes,
  firstMinute,
  competition: title,
  lines: null,
  ...more,
});

const women = { sides: [] as League['sides'], at: [360, 0] as const };

/** The leagues whose teams are in the tables: their keys and names at the source. */
const KNOWN: readonly (readonly [sportKey: string, names: readonly [string, string, string]])[] = [
  ['nrl', ['rugbyleague_nrl', 'Rugby League', 'NRL']],
  ['afl', ['aussierules_afl', 'Aussie Rules', 'AFL']],
  ['nba', ['basketball_nba', 'Basketball', 'NBA']],
  ['soccer_epl', ['soccer_epl', 'Soccer', 'EPL']],
  ['tennis_atp', ['tennis_atp_simulated_open', 'Tennis', 'ATP Simulated Open']],
];

export const KNOWN_SEASON: readonly SeasonLeague[] = KNOWN.map(([sportKey, [sourceKey, group, title]]) => {
  const league = LEAGUES.find((one) => one.sportKey === sportKey)!;
  return { ...league, sourceKey, group, title };
});

export const SEASON: readonly SeasonLeague[] = [
  season('aflw', ['aussierules_aflw', 'Aussie Rules', 'AFLW'], women.sides, women.at, {
    womenOf: 'afl',
    lines: { margin: 12, total: 80 },
  }),
  season('nrlw', ['rugbyleague_nrlw', 'Rugby League', 'NRLW'], women.sides, women.at, {
    womenOf: 'nrl',
    lines: { margin: 7, total: 36 },
  }),
  season(
    'super_league',
    ['rugbyleague_super_league', 'Rugby League', 'Super League'],
    clubsOf(nick('Foxes Colliers Tykes Vikings Giants Rams'), 0),
    [480, 90],
    {
      lines: { margin: 9, total: 44 },
    },
  ),
  season(
    'wnba',
    ['basketball_wnba', 'Basketball', 'WNBA'],
    clubsOf(nick('Comets Sirens Tempest Lynxes Halos Furies'), 3),
    [360, 60],
    {
      lines: { margin: 6, total: 160 },
    },
  ),
  season(
    'basketball_other',
    ['basketball_nbl', 'Basketball', 'NBL'],
    clubsOf(nick('Drovers Pilots Anchors Bushrangers'), 6),
    [480, 210],
    {
      lines: { margin: 7, total: 178 },
    },
  ),
  season(
    'nfl',
    ['americanfootball_nfl', 'American Football', 'NFL'],
    clubsOf(nick('Outlaws Mariners Stags Privateers Yaks Sentinels'), 1),
    [360, 15],
    {
      lines: { margin: 6, total: 45 },
    },
  ),
  season(
    'ncaaf',
    ['americanfootball_ncaaf', 'American Football', 'NCAAF'],
    clubsOf(nick('Badgers Mules Aggies Hornets Cougars Owls'), 8),
    [480, 45],
    {
      together: 3,
      lines: { margin: 11, total: 54 },
    },
  ),
  season(
    'mlb',
    ['baseball_mlb', 'Baseball', 'MLB'],
    clubsOf(nick('Keystones Mudhens Senators Robins Pelicans Oaks'), 5),
    [480, 100],
    {
      twice: 'doubleheader',
      lines: { margin: 1.4, total: 8 },
    },
  ),
  season(
    'nhl',
    ['icehockey_nhl', 'Ice Hockey', 'NHL'],
    clubsOf(nick('Icehawks Barons Moose Blades Narwhals Aurora'), 9),
    [480, 30],
    {
      twice: 'split_squads',
      lines: { margin: 1.2, total: 6 },
    },
  ),
  season('mma', ['mma_mixed_martial_arts', 'Mixed Martial Arts', 'MMA'], playersOf(2, 12), [360, 40], {
    walkovers: true,
  }),
  season('tennis_wta', ['tennis_wta_marlow_open', 'Tennis', 'WTA Marlow Open'], playersOf(0, 12), [240, 20], {
    together: 2,
    walkovers: true,
  }),
  season('cricket_test', ['cricket_test_match', 'Cricket', 'Test Matches'], NATIONS, [1440, 600]),
  season(
    'cricket_other',
    ['cricket_big_bash', 'Cricket', 'Big Bash'],
    clubsOf(nick('Cyclones Sabres Wombats Scorchlings'), 11),
    [480, 330],
  ),
  season('rugby_union', ['rugbyunion_six_nations', 'Rugby Union', 'Six Nations'], NATIONS, [720, 150], {
    lines: { margin: 8, total: 47 },
  }),
  season('soccer_other', ['soccer_australia_aleague', 'Soccer', 'A-League'], SOCCER_CLUBS, [360, 250], {
    together: 3,
    lines: { margin: 0.9, total: 3 },
  }),
];
