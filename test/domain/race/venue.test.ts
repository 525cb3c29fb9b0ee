// A 2.1, D17: every spelling of a venue is the same venue; namesakes are not.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Category } from '../../../src/domain/race/race';
import { foldText, isSecondCard, resolveVenue, venueState } from '../../../src/domain/race/venue';
import { VENUE_TABLE } from '../../../src/domain/race/venues.data';
import { runs } from '../../support/property';

const CATEGORY: Record<string, Category> = { T: 'horse', H: 'harness', G: 'greyhound' };

interface Spelling {
  readonly spelling: string;
  readonly venueId: string;
  readonly category: Category;
  readonly country: string;
}

/** The table read in the simplest way: one row per code and spelling. */
function spellings(): Spelling[] {
  let country = '';
  return VENUE_TABLE.trim()
    .split('\n')
    .flatMap((line) => {
      const [head = '', ...rest] = line.split(' ');
      if (!/^[THG]+$/.test(head)) country = head;
      const entries = /^[THG]+$/.test(head) ? rest.join(' ').split(', ') : [];
      return entries.flatMap((entry) => {
        const names = entry.split('@')[0]!.split('=');
        const venueId = foldText(names[0]!).replaceAll(' ', '-');
        return [...head].flatMap((code) =>
          names.map((spelling) => ({ spelling, venueId, category: CATEGORY[code]!, country })),
        );
      });
    });
}

const ALL = spellings();

describe('the table', () => {
  test('lists the venues of Australia and New Zealand', () => {
    const venues = new Set(ALL.filter((s) => s.country === 'AU' || s.country === 'NZ').map((s) => s.venueId));
    expect(venues.size).toBeGreaterThan(400);
  });

  test('never gives one spelling, within a code and country, to two venues', () => {
    const seen = new Map<string, string>();
    for (const { spelling, venueId, category, country } of ALL) {
      const key = `${category} ${country} ${foldText(spelling)}`;
      expect([key, seen.get(key) ?? venueId]).toEqual([key, venueId]);
      seen.set(key, venueId);
    }
  });

  test('every slug has one canonical name and one site', () => {
    const seen = new Map<string, object>();
    for (const { spelling, category, country } of ALL) {
      const venue = resolveVenue(spelling, category, country);
      expect(seen.get(venue.venueId) ?? venue).toEqual(venue);
      seen.set(venue.venueId, venue);
    }
  });

  test('every Australian venue, and no other, has a state', () => {
    const states = new Map(ALL.map(({ venueId, country }) => [venueId, [country, venueState(venueId)]]));
    const known = [...states.values()].filter(([country]) => country === 'AU').map(([, state]) => state);
    expect([...new Set(known)].sort()).toEqual(['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA']);
    for (const [country, state] of states.values()) expect(state === null).toBe(country !== 'AU');
    expect(venueState('nowhere')).toBeNull();
  });

  test.each([
    ['flemington', 'VIC'],
    ['ascot', 'WA'],
    ['canberra', 'ACT'],
    ['darwin', 'NT'],
    ['eagle-farm', 'QLD'],
    ['morphettville', 'SA'],
    ['hobart', 'TAS'],
    ['wentworth-park', 'NSW'],
  ])('%s is in %s', (venueId, state) => {
    expect(venueState(venueId)).toBe(state);
  });

  test('every slug is one venue: two tracks with one name in different places have different slugs', () => {
    const countries = new Map<string, Set<string>>();
    for (const { venueId, country } of ALL) countries.set(venueId, (countries.get(venueId) ?? new Set()).add(country));
    expect([...countries].filter(([, where]) => where.size > 1)).toEqual([]);
  });
});

describe('D17: a venue is the same under every spelling', () => {
  const written = fc.constantFrom(
    (s: string) => s,
    (s: string) => s.toUpperCase(),
    (s: string) => ` ${s.toLowerCase()} `,
    (s: string) => s.replaceAll(' ', '-'),
    (s: string) => s.replaceAll(' ', '  '),
    (s: string) => s.replace('Mount', 'Mt.').replace(/\bPark\b/, 'Pk'),
  );
  const before = fc.constantFrom('', 'Ladbrokes ', 'Sportsbet-', 'bet365 ', 'Picklebet Park ', 'Southside ', 'TAB ');
  const after = fc.constantFrom('', ' Racecourse', ' Synthetic', ' (Tapeta)', ' EXTRA', ' Night', ' Poly');

  test('case, punctuation, sponsor, surface, session and second card change nothing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ALL), written, before, after, (row, write, sponsor, suffix) => {
        const { venueId } = resolveVenue(sponsor + write(row.spelling) + suffix, row.category, row.country);
        expect(venueId).toBe(row.venueId);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('every spelling of the table, as written', () => {
    for (const row of ALL) {
      expect([row.spelling, resolveVenue(row.spelling, row.category, row.country).venueId]).toEqual([
        row.spelling,
        row.venueId,
      ]);
    }
  });

  test.each<[string, Category, string | null, string, string]>([
    ['Sportsbet Sandown Lakeside', 'horse', 'AU', 'sandown', 'sandown'],
    ['Sandown Hillside', 'horse', 'AU', 'sandown', 'sandown'],
    ['SANDOWN', 'greyhound', 'AU', 'sandown-park', 'sandown-park'],
    ['Sandown (SAP)', 'greyhound', 'AU', 'sandown-park', 'sandown-park'],
    ['Meadows (MEP)', 'greyhound', 'AU', 'meadows', 'meadows'],
    ['Rosehill Gardens', 'horse', 'AU', 'rosehill', 'rosehill'],
    ['Royal Randwick', 'horse', 'AU', 'randwick', 'randwick'],
    ['Randwick-Kensington', 'horse', 'AU', 'kensington', 'randwick'],
    ['Caulfield Heath', 'horse', 'AU', 'caulfield-heath', 'caulfield'],
    ['Southside Cranbourne', 'horse', 'AU', 'cranbourne', 'cranbourne'],
    ['Beaumont Newcastle', 'horse', 'AU', 'newcastle', 'newcastle'],
    ['Ladbrokes Cannon Park', 'horse', 'AU', 'cairns', 'cairns'],
    ['Tabcorp Park Menangle', 'harness', 'AU', 'menangle', 'menangle'],
    ['Richmond (RIS)', 'greyhound', 'AU', 'richmond-straight', 'richmond'],
    ['Murray Bridge (MBR)', 'greyhound', 'AU', 'murray-bridge', 'murray-bridge'],
    ['Murray Bridge (MBS)', 'greyhound', 'AU', 'murray-bridge-straight', 'murray-bridge'],
    ['Q1 Lakeside', 'greyhound', 'AU', 'q1-lakeside', 'the-q'],
    ['Ladbrokes Q Straight', 'greyhound', 'AU', 'q-straight', 'the-q'],
    ['Bunbury Fibre Sand', 'horse', 'AU', 'bunbury', 'bunbury'],
    ['Awapuni Synthetic', 'horse', 'NZ', 'awapuni', 'awapuni'],
    ['Christchurch (NZ)', 'greyhound', 'NZ', 'addington', 'addington'],
    ['Palmerston Nth', 'greyhound', 'NZ', 'manawatu', 'manawatu'],
    ['Wanganui', 'greyhound', 'NZ', 'hatrick', 'hatrick'],
    ['Cambridge (G)', 'greyhound', 'NZ', 'cambridge', 'cambridge'],
    ['Dport @ HOB', 'greyhound', 'AU', 'hobart', 'hobart'],
    ['Dport @ LCN', 'greyhound', 'AU', 'launceston', 'launceston'],
    ['Bet Deluxe Capalaba', 'greyhound', 'AU', 'capalaba', 'capalaba'],
    ['Richmond', 'greyhound', 'AU', 'richmond', 'richmond'],
    ['Kinsley Bags', 'greyhound', 'GB', 'kinsley', 'kinsley'],
    ['Northfield Pk', 'harness', 'US', 'northfield-park', 'northfield-park'],
    ['Yonkers Raceway', 'harness', 'US', 'yonkers', 'yonkers'],
    ['MOHAWK', 'harness', 'CA', 'mohawk', 'mohawk'],
  ])('%s (%s, %s) is %s at %s', (raw, category, country, venueId, venueSite) => {
    expect(resolveVenue(raw, category, country)).toMatchObject({ venueId, venueSite });
  });
});

describe('namesakes', () => {
  test('the country distinguishes them', () => {
    expect(resolveVenue('Ascot', 'horse', 'AU').venueId).toBe('ascot');
    expect(resolveVenue('Ascot', 'horse', 'GB').venueId).toBe('ascot-gb');
    expect(resolveVenue('Ascot Park', 'horse', 'NZ').venueId).toBe('ascot-park');
    expect(resolveVenue('Wellington', 'horse', 'AU').venueId).toBe('wellington');
    expect(resolveVenue('Wellington', 'horse', 'NZ').venueId).toBe('trentham');
  });

  test('an unconfirmed meeting counts as the home venue', () => {
    expect(resolveVenue('ASCOT', 'horse').venueId).toBe('ascot');
  });

  test('without a country, or in a code that does not race there, a spelling is still recognised', () => {
    expect(resolveVenue('Rosehill Gardens', 'horse')).toMatchObject({
      venueId: 'rosehill',
      venueCanonical: 'Rosehill',
    });
    expect(resolveVenue('Rosehill Gardens', 'harness', 'AU').venueId).toBe('rosehill');
  });

  test.each(['Little Rosehill', 'Rosehill Downs'])('%s is another venue: it has no sponsor and no surface', (raw) => {
    expect(resolveVenue(raw, 'horse', 'AU')).toMatchObject({
      venueCanonical: raw,
      venueId: raw.toLowerCase().replace(' ', '-'),
    });
  });

  test('a venue always has a name', () => {
    expect(resolveVenue('Racing', 'horse')).toMatchObject({ venueId: 'racing', venueCanonical: 'Racing' });
    expect(resolveVenue('!!!', 'horse')).toEqual({
      venueId: 'unknown',
      venueCanonical: 'Unknown',
      venueSite: 'unknown',
    });
  });

  test('the code distinguishes them', () => {
    expect(resolveVenue('Richmond', 'horse', 'AU').venueId).toBe('richmond-qld');
    expect(resolveVenue('Richmond', 'greyhound', 'AU').venueId).toBe('richmond');
  });
});

describe('any text', () => {
  test.each([
    ["St. Arnaud's", 'st arnauds'],
    ['St Arnaud’s', 'st arnauds'],
    ['Mindarie-Halidon', 'mindarie halidon'],
    ['  Curaçao & Co ', 'curacao and co'],
    ['!!!', ''],
  ])('%p folds to %p', (raw, folded) => expect(foldText(raw)).toBe(folded));

  test('the name of an object’s built-in property is an ordinary name', () => {
    expect(resolveVenue('Constructor', 'horse')).toMatchObject({
      venueId: 'constructor',
      venueCanonical: 'Constructor',
    });
  });

  test('total, deterministic, a slug, and its own canonical name folds back onto it', () => {
    const category = fc.constantFrom<Category>('horse', 'harness', 'greyhound');
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', '!!!', 'Park', 'Extra Night'),
    );
    fc.assert(
      fc.property(text, category, (raw, code) => {
        const venue = resolveVenue(raw, code);
        expect(venue.venueId).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(venue.venueSite).toMatch(/^[a-z0-9-]+$/);
        expect(resolveVenue(venue.venueCanonical, code)).toEqual(venue);
      }),
    );
  });

  test('only EXTRA marks a second card', () => {
    expect(['BALLARAT EXTRA', 'Ballarat (Extra)'].every(isSecondCard)).toBe(true);
    expect(['BALLARAT', 'Extraordinary Park'].some(isSecondCard)).toBe(false);
  });
});

const samples = process.env.SAMPLES_DIR ?? '../shared/samples';
const tab = join(samples, 'tab/historical-results_2025-01-01_to_06_VIC_AU-NZ.json');
const entain = join(samples, 'entain-affiliates/List-of-meetings.json');
const haveSamples = existsSync(tab) && existsSync(entain);
const maybe = haveSamples ? test : test.skip;

describe('recorded replies', () => {
  const listed = new Set(ALL.map((s) => `${s.category} ${s.venueId}`));

  maybe(
    `every AU and NZ venue that TAB listed in six days is in the table${haveSamples ? '' : ' (no samples here)'}`,
    () => {
      const { meetings } = JSON.parse(readFileSync(tab, 'utf8')) as {
        meetings: { meetingName: string; raceType: string; location: string }[];
      };
      const code: Record<string, Category> = { R: 'horse', H: 'harness', G: 'greyhound' };
      const missing = meetings.filter(({ meetingName, raceType, location }) => {
        const venue = resolveVenue(meetingName, code[raceType]!, location === 'NZL' ? 'NZ' : 'AU');
        return !listed.has(`${code[raceType]} ${venue.venueId}`);
      });
      expect(missing.map((m) => `${m.raceType} ${m.meetingName}`)).toEqual([]);
      expect(meetings.length).toBeGreaterThan(50);
    },
  );

  maybe(`every AU and NZ venue that Entain listed is in the table${haveSamples ? '' : ' (no samples here)'}`, () => {
    const { data } = JSON.parse(readFileSync(entain, 'utf8')) as {
      data: { meetings: { name: string; category: string; country: string }[] };
    };
    const local = data.meetings.filter((m) => m.country === 'AUS' || m.country === 'NZ');
    const missing = local.filter(({ name, category, country }) => {
      const venue = resolveVenue(name, CATEGORY[category]!, country === 'NZ' ? 'NZ' : 'AU');
      return !listed.has(`${CATEGORY[category]} ${venue.venueId}`);
    });
    expect(missing.map((m) => `${m.category} ${m.name}`)).toEqual([]);
    expect(local.length).toBeGreaterThan(20);
  });
});
