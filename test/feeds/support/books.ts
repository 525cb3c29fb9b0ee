// Every book that the conformance suite asks, in the order of the registry.
import { betfair } from './betfair';
import { betdeluxe } from './blackstream';
import { betr, betright } from './bluebet';
import type { Book } from './book';
import { dabble } from './dabble';
import { ladbrokes, neds } from './entain';
import { palmerbet } from './palmerbet';
import { playup } from './playup';
import { pointsbet } from './pointsbet';
import { sportsbet } from './sportsbet';
import { tab } from './tab';
import { tabtouch } from './tabtouch';
import { unibet } from './unibet';

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
