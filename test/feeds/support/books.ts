// Every book that the conformance suite asks, in the order of the registry.
import type { Book } from './book';
import { ladbrokes, neds } from './entain';
import { palmerbet } from './palmerbet';
import { pointsbet } from './pointsbet';
import { tab } from './tab';

export const BOOKS: readonly Book[] = [ladbrokes, neds, palmerbet, pointsbet, tab];
