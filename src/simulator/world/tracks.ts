// The tracks of the world, with each book's own spelling. Data only: schedule.ts decides which of them race on a day.
import type { Category } from '../../domain/race/race';

export type Country = 'AU' | 'NZ' | 'HK' | 'TR' | 'GB' | 'US';

/** The roles of meetings outside Australia and New Zealand: books/abroad.ts has which books list and quote each. */
export type Abroad = 'hongKong' | 'international' | 'unlabelled';

export interface Track {
  /** Unique within its category. */
  readonly name: string;
  readonly category: Category;
  readonly country: Country;
  /** Null in Australia and New Zealand. */
  readonly abroad: Abroad | null;
  /** Australian state, or what Entain sends elsewhere: `NZ`, `HK`, `TUR`, `GBR`, an American state. */
  readonly state: string;
  /** The country that some books append to the venue (`Veliefendi - TUR`); null if they append none. */
  readonly tag: string | null;
  /** TAB's three letters. */
  readonly mnemonic: string;
  /** The sponsor's name or full name that Entain shows besides the plain one. */
  readonly display: string;
  readonly pointsbet: string;
  readonly tab: string;
  readonly surface: 'turf' | 'synthetic' | 'sand';
  readonly distances: readonly number[];
}

type Spelling = {
  readonly display?: string;
  readonly pointsbet?: string;
  readonly tab?: string;
  readonly surface?: 'synthetic';
};
type Row = readonly [name: string, state: string, mnemonic: string, spelling?: Spelling];

const HORSE_DISTANCES = [1000, 1100, 1200, 1300, 1400, 1600, 1800, 2000, 2400];
const HARNESS_DISTANCES = [1609, 1720, 2125, 2180, 2240, 2690];
const DOG_DISTANCES = [300, 342, 390, 425, 460, 515, 595];

function tracks(category: Category, distances: readonly number[], rows: readonly Row[]): readonly Track[] {
  return rows.map(([name, state, mnemonic, spelling = {}]) => ({
    name,
    category,
    country: state === 'NZ' ? 'NZ' : 'AU',
    abroad: null,
    state,
    tag: null,
    mnemonic,
    display: spelling.display ?? name,
    pointsbet: spelling.pointsbet ?? name,
    tab: spelling.tab ?? name.toUpperCase(),
    surface: spelling.surface ?? (category === 'horse' ? 'turf' : 'sand'),
    distances,
  }));
}

export const AU_HORSE = tracks('horse', HORSE_DISTANCES, [
  ['Randwick', 'NSW', 'RAN', { display: 'Royal Randwick', pointsbet: 'Royal Randwick' }],
  ['Rosehill', 'NSW', 'ROS', { display: 'Rosehill Gardens', pointsbet: 'Rosehill Gardens' }],
  ['Canterbury', 'NSW', 'CAN', { display: 'Canterbury Park', pointsbet: 'Canterbury Park' }],
  ['Warwick Farm', 'NSW', 'WFM'],
  ['Newcastle', 'NSW', 'NEW'],
  ['Kembla Grange', 'NSW', 'KEM'],
  ['Grafton', 'NSW', 'GRF'],
  ['Tamworth', 'NSW', 'TAM'],
  ['Wagga', 'NSW', 'WAG'],
  ['Port Macquarie', 'NSW', 'PMQ'],
  ['Muswellbrook', 'NSW', 'MUS'],
  ['Flemington', 'VIC', 'FLE'],
  ['Caulfield', 'VIC', 'CAU'],
  ['Moonee Valley', 'VIC', 'MVY'],
  ['Sandown', 'VIC', 'SAN', { display: 'Sportsbet Sandown Hillside', pointsbet: 'Sportsbet Sandown' }],
  ['Cranbourne', 'VIC', 'CRA', { display: 'Southside Cranbourne', pointsbet: 'Southside Cranbourne' }],
  ['Pakenham', 'VIC', 'PAK', { display: 'Sportsbet Pakenham', pointsbet: 'Sportsbet Pakenham' }],
  ['Ballarat', 'VIC', 'BAL', { display: 'Sportsbet-Ballarat', pointsbet: 'Sportsbet-Ballarat' }],
  ['Mornington', 'VIC', 'MOR'],
  ['Stony Creek', 'VIC', 'STO'],
  ['Eagle Farm', 'QLD', 'EAG'],
  ['Doomben', 'QLD', 'DOO'],
  ['Ipswich', 'QLD', 'IPS'],
  ['Sunshine Coast', 'QLD', 'SUN'],
  ['Toowoomba', 'QLD', 'TOO'],
  ['Cairns', 'QLD', 'CAI', { display: 'Ladbrokes Cannon Park', pointsbet: 'Cairns' }],
  ['Morphettville', 'SA', 'MPV'],
  ['Murray Bridge', 'SA', 'MBR'],
  ['Ascot', 'WA', 'ASC'],
  ['Belmont', 'WA', 'BEL', { display: 'Belmont Park', pointsbet: 'Belmont Park' }],
  ['Launceston', 'TAS', 'LAU'],
  ['Darwin', 'NT', 'DAR'],
]);

export const AU_HARNESS = tracks('harness', HARNESS_DISTANCES, [
  ['Menangle', 'NSW', 'MEN', { display: 'Tabcorp Park Menangle', pointsbet: 'Tabcorp Park Menangle' }],
  ['Penrith', 'NSW', 'PEN'],
  ['Bathurst', 'NSW', 'BAT'],
  ['Newcastle', 'NSW', 'NCH'],
  ['Tamworth', 'NSW', 'TWH'],
  ['Melton', 'VIC', 'MEL', { display: 'Tabcorp Park Melton', pointsbet: 'Tabcorp Park Melton' }],
  ['Bendigo', 'VIC', 'BEH'],
  ['Shepparton', 'VIC', 'SHH'],
  ['Kilmore', 'VIC', 'KIL'],
  ['Albion Park', 'QLD', 'ALB'],
  ['Redcliffe', 'QLD', 'RED'],
  ['Gloucester Park', 'WA', 'GLO'],
  ['Pinjarra', 'WA', 'PIN'],
  ['Globe Derby', 'SA', 'GLD', { display: 'Globe Derby Park', pointsbet: 'Globe Derby Park' }],
  ['Hobart', 'TAS', 'HOH'],
]);

export const AU_GREYHOUND = tracks('greyhound', DOG_DISTANCES, [
  ['Wentworth Park', 'NSW', 'WPK'],
  ['Richmond', 'NSW', 'RIC'],
  ['Richmond Straight', 'NSW', 'RIS'],
  ['The Gardens', 'NSW', 'GAR', { display: 'Ladbrokes Gardens' }],
  ['Dapto', 'NSW', 'DAP'],
  ['Casino', 'NSW', 'CAS'],
  ['Goulburn', 'NSW', 'GOU'],
  ['Maitland', 'NSW', 'MAI'],
  ['Grafton', 'NSW', 'GRG'],
  ['The Meadows', 'VIC', 'MEA'],
  ['Sandown Park', 'VIC', 'SAP'],
  ['Ballarat', 'VIC', 'BAG'],
  ['Bendigo', 'VIC', 'BEG'],
  ['Geelong', 'VIC', 'GEG'],
  ['Warragul', 'VIC', 'WRG'],
  ['Warrnambool', 'VIC', 'WBG'],
  ['Horsham', 'VIC', 'HOR'],
  ['Sale', 'VIC', 'SAL'],
  ['Shepparton', 'VIC', 'SHG'],
  ['Q Straight', 'QLD', 'QST'],
  ['Capalaba', 'QLD', 'CAP'],
  ['Ipswich', 'QLD', 'IPG'],
  ['Rockhampton', 'QLD', 'ROC'],
  ['Angle Park', 'SA', 'ANG'],
  ['Mount Gambier', 'SA', 'MTG', { tab: 'MT GAMBIER' }],
  ['Cannington', 'WA', 'CNN'],
  ['Mandurah', 'WA', 'MAN'],
  ['Hobart', 'TAS', 'HOG'],
  ['Launceston', 'TAS', 'LAG'],
]);

export const NZ_HORSE = tracks('horse', HORSE_DISTANCES, [
  ['Ellerslie', 'NZ', 'ELL'],
  ['Trentham', 'NZ', 'TRE'],
  ['Riccarton', 'NZ', 'RCT', { display: 'Riccarton Park', pointsbet: 'Riccarton Park' }],
  ['Te Rapa', 'NZ', 'TRP'],
  ['Otaki', 'NZ', 'OTA'],
  ['Tauranga', 'NZ', 'TAU'],
  ['Awapuni Synthetic', 'NZ', 'AWS', { surface: 'synthetic' }],
  ['Matamata', 'NZ', 'MTM'],
  ['Wingatui', 'NZ', 'WIN'],
]);

export const NZ_HARNESS = tracks('harness', HARNESS_DISTANCES, [
  ['Addington', 'NZ', 'ADD'],
  ['Alexandra Park', 'NZ', 'ALX'],
  ['Cambridge', 'NZ', 'CAM'],
  ['Winton', 'NZ', 'WTN'],
  ['Ascot Park', 'NZ', 'ASP'],
  ['Manawatu', 'NZ', 'MNW'],
  ['Rangiora', 'NZ', 'RAG'],
]);

function abroad(role: Abroad, country: Country, [name, state, mnemonic]: Row, tag: string | null = null): Track {
  const [track] = tracks('horse', HORSE_DISTANCES, [[name, state, mnemonic]]);
  return { ...track!, country, abroad: role, tag };
}

/** Only thoroughbreds. The tracks of a role take turns, day by day. `orb` is TABtouch's code of Newmarket. */
export const ABROAD: Readonly<Record<Abroad, readonly Track[]>> = {
  hongKong: [
    abroad('hongKong', 'HK', ['Sha Tin', 'HK', 'SHT']),
    abroad('hongKong', 'HK', ['Happy Valley', 'HK', 'HAP']),
  ],
  international: [
    abroad('international', 'TR', ['Veliefendi', 'TUR', 'VEL'], 'TUR'),
    abroad('international', 'GB', ['Newmarket', 'GBR', 'ORB']),
  ],
  unlabelled: [
    abroad('unlabelled', 'US', ['Saratoga', 'NY', 'SGA']),
    abroad('unlabelled', 'US', ['Keeneland', 'KY', 'KEE']),
  ],
};

export const TRACKS: readonly Track[] = [
  ...AU_HORSE,
  ...AU_HARNESS,
  ...AU_GREYHOUND,
  ...NZ_HORSE,
  ...NZ_HARNESS,
  ...Object.values(ABROAD).flat(),
];
