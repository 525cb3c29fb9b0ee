// The teams of one sport with their spellings, as one index: which team a folded name means. A spelling of the table
// decides; otherwise the shape of the name does, in leagues whose teams are all listed, and only if it fits one team.
import { align } from './align';
import { slugOf } from './letters';
import { textOf, wordsOf } from './words';

export interface KnownTeam {
  /** The team's part of `canonical_event_id`. */
  readonly key: string;
  /** As we show it. */
  readonly name: string;
  /** `Brisbane` of `Brisbane Broncos`; null: the name has no such parts. */
  readonly town: string | null;
  readonly nickname: string | null;
}

/** What the database has of one sport. */
export interface NameTable {
  readonly teams: readonly KnownTeam[];
  readonly spellings: readonly { readonly spelling: string; readonly key: string }[];
  /** Keys of two teams that an operator ruled to be two. */
  readonly apart: readonly (readonly [string, string])[];
}

export interface SportNames {
  /** The team that a folded name without its division means; null: none, or more than one. */
  find(slug: string): KnownTeam | null;
  /** As we show it; null: the table does not have the team. */
  nameOf(key: string): string | null;
  /** Every name of a team, in words, and its nickname. */
  namesOf(key: string): readonly (readonly string[])[];
  areApart(key: string, other: string): boolean;
}

/** Leagues whose teams are all in the table: a name that fits one of them by its shape is that team. */
const CLOSED = new Set([
  'afl',
  'aflw',
  'nrl',
  'nrlw',
  'nba',
  'wnba',
  'nfl',
  'mlb',
  'nhl',
  'ncaaf',
  'super_league',
  'soccer_epl',
]);
/** A town has one school of each name: `Ohio` is not `Ohio State`, and nicknames are those of many. */
const OF_SCHOOLS = new Set(['ncaaf']);
/** Names that are remembered with their team. */
const REMEMBERED = 20_000;

interface Shape {
  readonly team: KnownTeam;
  /** Town and nickname, or the whole name. */
  readonly full: readonly (readonly string[])[];
  readonly town: readonly string[] | null;
  readonly nickname: readonly string[] | null;
}

/** Compiled once for each version of the tables. */
export function compileNames(sportKey: string, table: NameTable): SportNames {
  const byKey = new Map(table.teams.map((team) => [team.key, team]));
  const bySlug = new Map<string, KnownTeam>();
  for (const team of table.teams) bySlug.set(slugOf(team.name), team);
  for (const { spelling, key } of table.spellings) bySlug.set(slugOf(spelling), byKey.get(key) ?? unlisted(key));
  const names = namesByKey(sportKey, table);
  const byText = onlyOnes(
    [...names].flatMap(([key, all]) => all.map((words): [string, string] => [textOf(words), key])),
  );
  const shapes = CLOSED.has(sportKey) ? table.teams.map((team) => shapeOf(sportKey, team, names)) : [];
  const nicknames = new Map(shapes.map(({ team, nickname }) => [team.key, nickname === null ? [] : [nickname]]));
  const found = new Map<string, KnownTeam | null>();
  const find = (slug: string): KnownTeam | null => {
    const words = wordsOf(sportKey, slug);
    const ofText = byText.get(textOf(words));
    return bySlug.get(slug) ?? byKey.get(ofText ?? '') ?? byShape(words, shapes, OF_SCHOOLS.has(sportKey));
  };
  const apart = new Set(table.apart.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
  return {
    find(slug) {
      if (found.size > REMEMBERED) found.clear();
      if (!found.has(slug)) found.set(slug, find(slug));
      return found.get(slug)!;
    },
    nameOf: (key) => byKey.get(key)?.name ?? null,
    namesOf: (key) => [...(names.get(key) ?? []), ...(nicknames.get(key) ?? [])],
    areApart: (key, other) => apart.has(`${key} ${other}`),
  };
}

/** A spelling of a team that the table does not have: an operator named its key. */
const unlisted = (key: string): KnownTeam => ({ key, name: key, town: null, nickname: null });

function namesByKey(sportKey: string, { teams, spellings }: NameTable): ReadonlyMap<string, (readonly string[])[]> {
  const names = new Map(teams.map(({ key, name }) => [key, [wordsOf(sportKey, slugOf(name))]]));
  for (const { spelling, key } of spellings) names.get(key)?.push(wordsOf(sportKey, slugOf(spelling)));
  return names;
}

/** Texts of one team alone. */
function onlyOnes(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const all = new Map<string, Set<string>>();
  for (const [text, key] of pairs) all.set(text, (all.get(text) ?? new Set()).add(key));
  return new Map([...all].flatMap(([text, keys]) => (keys.size === 1 ? [[text, [...keys][0]!] as const] : [])));
}

const shapeOf = (sportKey: string, team: KnownTeam, names: ReadonlyMap<string, (readonly string[])[]>): Shape => ({
  team,
  full: names.get(team.key)!,
  town: team.town === null ? null : wordsOf(sportKey, slugOf(team.town)),
  nickname: team.nickname === null ? null : wordsOf(sportKey, slugOf(team.nickname)),
});

/**
 * By the whole name, then by the town alone, then by the nickname or its end. The first that fits any team must fit
 * one.
 */
function byShape(words: readonly string[], shapes: readonly Shape[], ofSchools: boolean): KnownTeam | null {
  const whole = shapes.filter(({ full, town, nickname }) =>
    [...full, ...shortened(town, nickname)].some((one) => standsFor(words, one)),
  );
  if (whole.length > 0) return onlyTeam(whole);
  const ofTown = shapes.filter(({ town }) => town !== null && standsFor(words, town));
  const isPart = (one: Shape): boolean =>
    shapes.some(({ team, town }) => team !== one.team && town !== null && contains(town, one.town!));
  if (ofTown.length > 0) return ofSchools || !ofTown.some(isPart) ? onlyTeam(ofTown) : null;
  if (ofSchools) return null;
  return onlyTeam(
    shapes.filter(
      ({ nickname }) => nickname !== null && tailsOf(nickname).some((tail) => textOf(tail) === textOf(words)),
    ),
  );
}

const onlyTeam = (shapes: readonly Shape[]): KnownTeam | null => (shapes.length === 1 ? shapes[0]!.team : null);

/** `Toronto Leafs` of `Toronto Maple Leafs`, `Vegas Aces` of `Las Vegas Aces`. */
const shortened = (
  town: readonly string[] | null,
  nickname: readonly string[] | null,
): readonly (readonly string[])[] =>
  town === null || nickname === null
    ? []
    : [...tailsOf(nickname).map((tail) => [...town, ...tail]), ...tailsOf(town).map((tail) => [...tail, ...nickname])];

const tailsOf = (words: readonly string[]): readonly (readonly string[])[] => words.map((_, i) => words.slice(i));

/** A word of the name is written out, so that not all of it rests on abbreviations. */
const LEAST_EXACT = 3;

const standsFor = (words: readonly string[], all: readonly string[]): boolean =>
  (align(words, all)?.exact ?? 0) >= LEAST_EXACT;

/** The words in their order, somewhere in the others. */
const contains = (all: readonly string[], part: readonly string[]): boolean =>
  all.some((_, i) => part.every((word, k) => all[i + k] === word));
