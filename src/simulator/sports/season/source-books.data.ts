// The books that the source lists, by its own keys, including an exchange and two that the service does not know. Data,
// not behaviour.
import { type SportBook, USUAL_BOOK } from '../sport-books';

const usual = { ...USUAL_BOOK, opinion: 0.05 };

export const SOURCE_BOOKS: readonly SportBook[] = [
  { ...usual, key: 'sportsbet', margin: 1.045 },
  { ...usual, key: 'tab', margin: 1.055, opensHours: 40 },
  { ...usual, key: 'ladbrokes_au', margin: 1.05, opinion: 0.08 },
  { ...usual, key: 'neds', margin: 1.05, opinion: 0.08 },
  { ...usual, key: 'pointsbetau', margin: 1.05, opensHours: 36 },
  { ...usual, key: 'unibet', margin: 1.06 },
  { ...usual, key: 'betr_au', margin: 1.05, opensHours: 30 },
  { ...usual, key: 'betright', margin: 1.055, behindMinutes: 20 },
  { ...usual, key: 'playup', margin: 1.06, opensHours: 24 },
  { ...usual, key: 'dabble_au', margin: 1.05 },
  { ...usual, key: 'bet365_au', margin: 1.05 },
  { ...usual, key: 'boombet', margin: 1.06 },
  { ...usual, key: 'betfair_ex_au', margin: 1.002 },
];
