// The teams and spellings of all sports as tables that seed the database. Data files have one line per team: its name,
// with a slash between town and nickname if it has both, then other spellings. A spelling is listed only if it means
// one team of its sport.
import { keyOf, slugOf } from '../names/letters';
import type { NameTable } from '../names/sport-names';
import { AMERICAN } from './american.data';
import { AUSTRALIAN } from './australian.data';
import { CLUBS } from './clubs.data';
import { COLLEGES } from './colleges.data';
import { NATIONS } from './nations.data';
import { PLAYERS } from './players.data';
import { SOCCER } from './soccer.data';

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  ...AUSTRALIAN,
  ...AMERICAN,
  ncaaf: [COLLEGES],
  ...SOCCER,
  ...CLUBS,
  ...PLAYERS,
};
const WITH_NATIONS = ['soccer_other', 'rugby_union', 'cricket_test', 'cricket_other', 'basketball_other'];

interface Line {
  readonly key: string;
  readonly name: string;
  readonly town: string | null;
  readonly nickname: string | null;
  readonly spellings: readonly string[];
}

function lineOf(sportKey: string, line: string): Line {
  const [first, ...spellings] = line.split('|').map((one) => one.trim());
  const [town, nickname] = first!.split(' / ');
  const name = first!.replace(' / ', ' ');
  const key = keyOf(sportKey, slugOf(name));
  return { key, name, town: nickname ? town! : null, nickname: nickname ?? null, spellings };
}

function tableOf(sportKey: string): NameTable {
  const texts = [...(TEXTS[sportKey] ?? []), ...(WITH_NATIONS.includes(sportKey) ? [NATIONS] : [])];
  const lines = texts
    .flatMap((text) => text.trim().split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => lineOf(sportKey, line));
  return {
    teams: lines.map(({ spellings: _, ...team }) => team),
    spellings: lines.flatMap(({ key, spellings }) => spellings.map((spelling) => ({ spelling, key }))),
    apart: [],
  };
}

/** By sport key. */
export const SEED: Readonly<Record<string, NameTable>> = Object.fromEntries(
  [...new Set([...Object.keys(TEXTS), ...WITH_NATIONS])].map((sportKey) => [sportKey, tableOf(sportKey)]),
);
