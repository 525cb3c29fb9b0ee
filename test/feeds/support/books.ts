// Every book of the conformance suite, in the order of the registry.

import type { Book } from './book';
import { betfair } from './books/betfair';
import { betdeluxe } from './books/blackstream';
import { betr, betright } from './books/bluebet';
import { dabble } from './books/dabble';
import { ladbrokes, neds } from './books/entain';
import { palmerbet } from './books/palmerbet';
import { playup } from './books/playup';
import { pointsbet } from './books/pointsbet';
import { sportsbet } from './books/sportsbet';
import { tab } from './books/tab';
import { tabtouch } from './books/tabtouch';
import { unibet } from './books/unibet';

export const BOOKS: readonly Book[] = [
  ladbrokes,
  neds,
  betfair,
  dabble,
  palmerbet,
  playup,
  pointsbet,
  sportsbet,
  tab,
  tabtouch,
  unibet,
  betr,
  betright,
  betdeluxe,
];
