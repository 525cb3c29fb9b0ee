// Outages of the service's sources: a registry, the lists of the books, the feed of sports.
import { withDatabase } from '../database.mjs';
import { wrongSportPrices } from '../sports.mjs';

const REGISTRY = 'racing_australia';
const FEED = 'the_odds_api';

const OF_REGISTRY = `SELECT race_id FROM races WHERE category = 'horse' AND country = 'AU' ORDER BY start_time LIMIT 1`;

/** Immediately: by itself the service may read nothing there for an hour. */
async function readRegistry(stage) {
  const [{ race_id }] = await withDatabase(stage.servers, ({ query }) => query(OF_REGISTRY));
  await stage.type('fields-overdue', 'ops collect', { race_id });
}

/** Immediately, instead of within five minutes. */
const readLists = (stage) => stage.type('nothing-listed', 'temporal schedule trigger');

const EXCHANGED =
  'SELECT count(*)::int AS rows FROM sport_event_books WHERE feed IS NOT NULL AND swapped AND taken_back_at IS NULL';

/** Null: matches were read with their sides exchanged, and none of their prices is wrong. */
async function wrongOfExchanged(stage) {
  const [{ rows }] = await withDatabase(stage.servers, ({ query }) => query(EXCHANGED));
  return rows === 0 ? 'no match was read with its sides exchanged' : wrongSportPrices(stage);
}

export const OF_SOURCES = [
  {
    name: 'a registry refuses us',
    beside: 'the sweep of races is paused',
    alert: 'RegistryWalled',
    seconds: 720,
    runs: [['registry-walled', 'SELECT * FROM registry_doors', /racing_australia.*walled.*403/]],
    async begin(stage) {
      await stage.fault('blocked', REGISTRY);
      await readRegistry(stage);
    },
    async end(stage) {
      await stage.noFaults();
      await stage.type('registry-walled', 'temporal workflow update', { registry: REGISTRY });
    },
    after: async (stage) => {
      const doors = await stage.type('registry-walled', 'SELECT * FROM registry_doors');
      return /racing_australia[^}]*walled/.test(doors) ? 'the registry is still walled' : null;
    },
  },
  {
    name: 'the feed of sports hangs',
    beside: 'the sweep of races is paused',
    alert: 'FeedOfSportsFailing',
    seconds: 900,
    look: wrongSportPrices,
    runs: [['feed-of-sports-silent', 'curl', /the_odds_api[^}]*timeout/]],
    async begin(stage) {
      await stage.fault('hanging', FEED);
      await stage.sportsAreDue();
    },
    end: (stage) => stage.noFaults(),
    after: wrongSportPrices,
  },
  {
    name: 'the feed of sports exchanges the sides',
    // The service reads it correctly: each price belongs to the side that it names.
    alert: null,
    seconds: 180,
    look: wrongOfExchanged,
    async begin(stage) {
      await stage.fault('sides_exchanged', FEED);
      await stage.sportsAreDue();
    },
    end: (stage) => stage.noFaults(),
    after: wrongSportPrices,
  },
  // The last outage of the feed: without upcoming matches, its worker checks again after a quarter of an hour.
  {
    name: 'the feed of sports lists no match',
    alert: 'FeedOfSportsEmpty',
    seconds: 900,
    runs: [['feed-of-sports-silent', 'SELECT source_key', /"next_start":null/]],
    async begin(stage) {
      await stage.fault('nothing_listed', FEED);
      await stage.sportsAreDue();
    },
    async end(stage) {
      await stage.noFaults();
      await stage.sportsAreDue();
    },
  },
  // After the outages of the feed of sports, which lists no match here either.
  {
    name: 'every list of races is empty',
    beside: 'the feed of sports lists no match',
    alert: 'NothingListed',
    seconds: 900,
    // Races near their jump that are priced only by books that are polled by their lists.
    may: ['LiveRacesUnpolled'],
    runs: [['nothing-listed', 'SELECT bookmaker_key', /"races":0/]],
    async begin(stage) {
      await stage.fault('nothing_listed');
      await readLists(stage);
    },
    async end(stage) {
      await stage.noFaults();
      await readLists(stage);
    },
  },
];
