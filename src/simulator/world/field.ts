// The invented field of one race. Sizes, numbering, emergencies and vacant boxes follow each code's habits.
import type { Category } from '../../domain/race/race';
import type { Runner } from './race';
import { mix, normal, type Sequence, sequence, uuidOf } from './random';
import { COATS, FIRST_WORDS, GIVEN_NAMES, SECOND_WORDS, SURNAMES } from './words';

export interface FieldRequest {
  readonly seed: number;
  readonly category: Category;
  /** Names do not repeat within a day; this race's share begins here. */
  readonly firstName: number;
  readonly size?: number;
  /** Names of another form, so that no horse races at home and abroad. */
  readonly abroad?: boolean;
}

export const MAX_FIELD = 18;
const BOXES = 8;
const HOME_TOWNS = [
  'Wyong',
  'Hawkesbury',
  'Cranbourne',
  'Kyneton',
  'Deagon',
  'Gatton',
  'Murray Bridge',
  'Byford',
  'Longford',
  'Cambridge',
];

/** The runners in saddlecloth order, emergencies last. */
export function createField(request: FieldRequest): Runner[] {
  const draw = sequence(request.seed);
  const plan = fieldPlan(request.category, draw, request.size);
  const barriers = barrierDraw(draw, plan.starters, request.category);
  return Array.from({ length: plan.starters + plan.emergencies }, (_, i) => {
    const emergency = i >= plan.starters;
    const vacant = plan.vacantBox === i;
    return createRunner(request, draw, i, { emergency, vacant, barrier: emergency ? null : barriers[i]! });
  });
}

interface FieldPlan {
  readonly starters: number;
  readonly emergencies: number;
  readonly vacantBox: number | null;
}

function fieldPlan(category: Category, draw: Sequence, size: number | undefined): FieldPlan {
  if (category === 'greyhound') {
    const vacantBox = size === undefined && draw.chance(0.14) ? draw.between(0, BOXES - 1) : null;
    return { starters: size ?? BOXES, emergencies: vacantBox === null && draw.chance(0.75) ? 2 : 0, vacantBox };
  }
  const usual = category === 'horse' ? draw.between(7, 14) : draw.between(7, 11);
  const starters = size ?? usual;
  return { starters, emergencies: starters >= 13 ? draw.between(1, 3) : 0, vacantBox: null };
}

/** Dogs jump from the box of their number; horses draw lots. */
function barrierDraw(draw: Sequence, starters: number, category: Category): number[] {
  const barriers = Array.from({ length: starters }, (_, i) => i + 1);
  if (category === 'greyhound') return barriers;
  return barriers
    .map((barrier) => ({ barrier, lot: draw.next() }))
    .sort((a, b) => a.lot - b.lot)
    .map((row) => row.barrier);
}

function createRunner(
  { seed, category, firstName, abroad = false }: FieldRequest,
  draw: Sequence,
  index: number,
  part: { emergency: boolean; vacant: boolean; barrier: number | null },
): Runner {
  const apprentice = category === 'horse' && draw.chance(0.2);
  return {
    id: uuidOf(seed, `runner ${index}`),
    number: index + 1,
    name: part.vacant ? 'Vacant Box' : runnerName(firstName + index, abroad),
    barrier: part.barrier,
    jockey: category === 'greyhound' ? null : personName(draw),
    claimKg: apprentice ? draw.pick([1.5, 2, 3, 4]) : null,
    trainer: part.vacant ? '' : personName(draw),
    trainerLocation: draw.pick(HOME_TOWNS),
    weightKg: category === 'horse' ? Math.max(54, 61 - Math.floor(index / 2) * 0.5 - draw.between(0, 2) * 0.5) : null,
    form: part.vacant ? '' : recentForm(draw, category),
    age: category === 'greyhound' ? draw.between(2, 4) : draw.between(3, 8),
    sex: category === 'greyhound' ? draw.pick(['d', 'b']) : draw.pick(['g', 'g', 'm', 'h']),
    coat: draw.pick(COATS),
    emergency: part.emergency,
    vacant: part.vacant,
    sire: runnerName(mix(seed, index, 1)),
    dam: runnerName(mix(seed, index, 2)),
    prizeMoney: draw.between(0, 900) * 125,
    strength: Math.max(-2.3, Math.min(1.9, normal(seed, index, 1))) * 0.85,
    drift: normal(seed, index, 2) * 0.24,
  };
}

/** Coprime with the number of pairs, so that every pair is used once before any repeats. */
const STRIDE = 9_931;

/** `swapped`: the second word first, which no domestic name has. */
function runnerName(index: number, swapped = false): string {
  const pair = (index * STRIDE) % (FIRST_WORDS.length * SECOND_WORDS.length);
  const words = [FIRST_WORDS[pair % FIRST_WORDS.length], SECOND_WORDS[Math.floor(pair / FIRST_WORDS.length)]];
  return (swapped ? words.reverse() : words).join(' ');
}

/** The index of the pair behind a domestic name: the same name always has the same one. */
export function pairOf(name: string): number {
  const [first, second] = name.split(' ');
  return FIRST_WORDS.indexOf(first!) + FIRST_WORDS.length * SECOND_WORDS.indexOf(second!);
}

function personName(draw: Sequence): string {
  return `${draw.pick(GIVEN_NAMES)} ${draw.pick(SURNAMES)}`;
}

function recentForm(draw: Sequence, category: Category): string {
  const starts = draw.between(2, category === 'horse' ? 10 : 8);
  const runs = Array.from({ length: starts }, () => String(draw.between(1, 8)));
  if (category !== 'greyhound' && starts > 4) runs[draw.between(1, starts - 2)] = 'x';
  return runs.join('');
}
