// Maps every spelling of a venue to one `venue_id` (A 2.1), so that the books' races can be joined (D17). Total and
// deterministic: a venue outside the table gets an id from its own text. Never reads the store, never guesses from the
// date.
import type { Category } from './race';
import { VENUE_TABLE } from './venues.data';

/** `venueId` and `venueSite` are slugs, `venueCanonical` the display name. Tracks of one complex share a site. */
export interface Venue {
  readonly venueId: string;
  readonly venueCanonical: string;
  readonly venueSite: string;
}

interface ListedVenue extends Venue {
  readonly country: string;
  readonly state: string;
}

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Words that may precede a venue's name: betting sponsors and their slogans. */
const PREFIXES =
  words(`sportsbet ladbrokes neds tab tabcorp tabtouch bet365 betfair betr betright pointsbet picklebet palmerbet playup unibet
  boostbet bet deluxe betdeluxe betgold dabble topsport aquis southside royal club the park rc racecourse thomas farms`);
/**
 * Words that may follow it: surfaces, codes, sessions, states, registries' track codes. `extra` marks a second card,
 * see {@link isSecondCard}.
 */
const SUFFIXES =
  words(`park pk gardens racecourse racetrack raceway race course track racing club rc jc tc hrc grc paceway trots trotting
  harness greyhound greyhounds dogs gallops turf synthetic synth syn poly polytrack tapeta awt aw fibre sand inner night twilight day extra
  showground showgrounds complex g h t r tb bags am pm bagsam bagspm mep sap mbr nz aus nsw act vic qld sa wa tas nt`);
/**
 * Suffixes that are also dropped from the name of a venue outside the table: `Kinsley Bags` is Kinsley, but `Delaware
 * Park` keeps its name.
 */
const UNKNOWN_SUFFIXES = words(
  `racecourse racetrack raceway racing synthetic synth polytrack tapeta awt extra g h t r tb bags am pm bagsam bagspm`,
);
/** A map, not an object: a book's text may contain the word `constructor`. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['pk', 'park'],
  ['mt', 'mount'],
  ['saint', 'st'],
  ['rd', 'road'],
  ['gdns', 'gardens'],
]);

const MARKS = /[\u0300-\u036f]/g;

/**
 * Lowercase words of letters and digits, one space between: `St. Arnaud’s` is `st arnauds`. Apostrophes join, other
 * punctuation separates.
 */
export function foldText(raw: string): string {
  return raw
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(/['’`]/g, '')
    .replace(/&/g, ' and ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

const tokensOf = (raw: string): string[] =>
  foldText(raw)
    .split(' ')
    .map((word) => ABBREVIATIONS.get(word) ?? word);

/**
 * Whether the book marks this as a second card at the track, e.g. `BALLARAT EXTRA` (TAB). A mark on the card, not
 * another venue.
 */
export function isSecondCard(raw: string): boolean {
  return tokensOf(raw).includes('extra');
}

const slug = (text: string): string => text.replaceAll(' ', '-');

const CODE: Readonly<Record<Category, string>> = { horse: 'T', harness: 'H', greyhound: 'G' };

/** Spellings by code and folded text; `*` has the first venue of that spelling in any code. */
const VENUES: ReadonlyMap<string, readonly ListedVenue[]> = readTable();

function readTable(): Map<string, ListedVenue[]> {
  const table = new Map<string, ListedVenue[]>();
  let place = { country: '', state: '' };
  for (const line of VENUE_TABLE.trim().split('\n')) {
    const gap = line.indexOf(' ');
    const head = line.slice(0, gap);
    if (/^[THG]+$/.test(head)) readLine(table, [...head, '*'], line.slice(gap + 1), place);
    else place = { country: head, state: line.slice(gap + 1) };
  }
  return table;
}

type Place = Pick<ListedVenue, 'country' | 'state'>;

function readLine(table: Map<string, ListedVenue[]>, codes: readonly string[], list: string, place: Place): void {
  for (const entry of list.split(', ')) {
    const [names = '', site] = entry.split('@');
    const spellings = names.split('=');
    const name = spellings[0]!;
    const venueId = slug(foldText(name));
    const venue = { venueId, venueCanonical: name, venueSite: site ?? venueId, ...place };
    for (const spelling of spellings) {
      for (const code of codes) add(table, `${code} ${tokensOf(spelling).join(' ')}`, venue);
    }
  }
}

const STATES: ReadonlyMap<string, string> = new Map(
  [...VENUES.values()].flat().flatMap(({ venueId, country, state }) => (country === 'AU' ? [[venueId, state]] : [])),
);

/** Of Australia, with a venue in the table. */
export const VENUE_STATES: readonly string[] = [...new Set(STATES.values())];

/** ISO 3166, with a venue in the table. */
export const VENUE_COUNTRIES: readonly string[] = [
  ...new Set([...VENUES.values()].flat().map(({ country }) => country)),
].sort();

/** The ids of the table's venues in a state of Australia. */
export const venuesOfState = (state: string): readonly string[] =>
  [...STATES].flatMap(([venueId, own]) => (own === state ? [venueId] : []));

/** The state or territory of an Australian venue, `NSW`; null for a venue elsewhere or outside the table. */
export const venueState = (venueId: string): string | null => STATES.get(venueId) ?? null;

function add(table: Map<string, ListedVenue[]>, key: string, venue: ListedVenue): void {
  const namesakes = table.get(key);
  if (namesakes) namesakes.push(venue);
  else table.set(key, [venue]);
}

/** Every stretch of the words with only prefixes before it and suffixes after it, longest first. */
function* stretches(tokens: readonly string[]): Generator<string> {
  for (let dropped = 0; dropped < tokens.length; dropped++) {
    for (let start = 0; start <= dropped; start++) {
      const end = tokens.length - (dropped - start);
      if (tokens.slice(0, start).every((t) => PREFIXES.has(t)) && tokens.slice(end).every((t) => SUFFIXES.has(t))) {
        yield tokens.slice(start, end).join(' ');
      }
    }
  }
}

/**
 * Table entries for these words: in the race's own code first, then in any (a code may race at a track that the table
 * lists under another).
 */
function entriesFor(tokens: readonly string[], category: Category): readonly ListedVenue[] {
  for (const code of [CODE[category], '*']) {
    for (const stretch of stretches(tokens)) {
      const entries = VENUES.get(`${code} ${stretch}`);
      if (entries) return entries;
    }
  }
  return [];
}

/**
 * Folds a book's spelling of a venue: case, punctuation, sponsors, surfaces, session words and aliases do not matter.
 * `country` (ISO 3166, null when the meeting is not confirmed) distinguishes namesakes: Ascot in Perth from Ascot in
 * Berkshire, Wellington in New South Wales from Wellington in New Zealand. Without a country, the first entry of the
 * table counts. A venue outside the table gets the slug of its own words, with its country appended only when a
 * namesake is in the table. Never fails; text without a letter or digit is `unknown`.
 */
export function resolveVenue(raw: string, category: Category, country: string | null = null): Venue {
  const tokens = tokensOf(raw);
  const entries = entriesFor(tokens, category);
  const listed = country === null ? entries[0] : entries.find((entry) => entry.country === country);
  if (listed) return { venueId: listed.venueId, venueCanonical: listed.venueCanonical, venueSite: listed.venueSite };
  return unlisted(tokens, entries.length > 0 ? country : null);
}

function unlisted(tokens: readonly string[], namesakeIn: string | null): Venue {
  let end = tokens.length;
  while (end > 1 && UNKNOWN_SUFFIXES.has(tokens[end - 1]!)) end--;
  const name = tokens.slice(0, end);
  const venueId = slug([...name, ...(namesakeIn ? [namesakeIn.toLowerCase()] : [])].join(' ')) || 'unknown';
  const venueCanonical = name.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || 'Unknown';
  return { venueId, venueCanonical, venueSite: venueId };
}
