// The field of one race: which of the day's animals run in it and how they are drawn. Sizes, numbering, emergencies and
// vacant boxes follow each code's habits.
import type { Category } from '../../domain/race/race';
import { DrawnRunner, runnerIdOf } from './drawn-runner';
import type { Entries } from './population/entries';
import { type Rider, ridersOf } from './population/people';
import type { Runner } from './race';
import { type Sequence, sequence } from './random';
import type { Track } from './tracks';

export interface FieldRequest {
  /** The race's. */
  readonly seed: number;
  readonly worldSeed: number;
  readonly track: Track;
  readonly entries: Entries;
  readonly size?: number;
}

const BOXES = 8;

/** The runners in saddlecloth order, emergencies last. */
export function createField(request: FieldRequest): Runner[] {
  const draw = sequence(request.seed);
  const { category, state } = request.track;
  const plan = fieldPlan(category, draw, request.size);
  const barriers = barrierDraw(draw, plan.starters, category);
  const count = plan.starters + plan.emergencies;
  const riders = ridersOf(request.worldSeed, category, state, request.seed, count);
  return Array.from({ length: count }, (_, i) => {
    const emergency = i >= plan.starters;
    const barrier = emergency ? null : barriers[i]!;
    if (plan.vacantBox === i) return { ...vacantBox(request.seed, i), barrier };
    return createRunner(request, draw, i, { emergency, barrier, rider: riders[i] ?? null });
  });
}

/** How many of the day's animals the field of a race takes. */
export function animalsIn(raceSeed: number, category: Category): number {
  const { starters, emergencies, vacantBox } = fieldPlan(category, sequence(raceSeed), undefined);
  return starters + emergencies - (vacantBox === null ? 0 : 1);
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
  { seed, track, entries }: FieldRequest,
  draw: Sequence,
  index: number,
  { emergency, barrier, rider }: { emergency: boolean; barrier: number | null; rider: Rider | null },
): Runner {
  const entrant = entries.next(track);
  const weightKg =
    track.category === 'horse' ? Math.max(54, 61 - Math.floor(index / 2) * 0.5 - draw.between(0, 2) * 0.5) : null;
  return new DrawnRunner(seed, index, entrant, { barrier, emergency, rider, weightKg });
}

const vacantBox = (seed: number, index: number): Omit<Runner, 'barrier'> => ({
  id: runnerIdOf(seed, index),
  number: index + 1,
  name: 'Vacant Box',
  jockey: null,
  claimKg: null,
  trainer: '',
  trainerLocation: '',
  weightKg: null,
  form: '',
  age: 0,
  sex: '',
  coat: '',
  sire: '',
  dam: '',
  prizeMoney: 0,
  emergency: false,
  vacant: true,
  strength: 0,
  drift: 0,
});
