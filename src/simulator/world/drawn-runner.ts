// A runner of a drawn field. It is a class because days have thousands of runners: with accessors on the object itself
// each would be a dictionary of two kilobytes. Its id and its form are computed when read, because most past days are
// built only for their results.
import type { Entrant } from './population/entries';
import type { Rider } from './population/people';
import type { Runner } from './race';
import { normal, uuidOf } from './random';

/** How the runner starts in its race. */
interface Start {
  readonly barrier: number | null;
  readonly emergency: boolean;
  readonly rider: Rider | null;
  readonly weightKg: number | null;
}

export class DrawnRunner implements Runner {
  readonly name: string;
  readonly age: number;
  readonly sex: string;
  readonly coat: string;
  readonly sire: string;
  readonly dam: string;
  readonly prizeMoney: number;
  readonly barrier: number | null;
  readonly emergency: boolean;
  readonly number: number;
  readonly jockey: string | null;
  readonly claimKg: number | null;
  readonly trainer: string;
  readonly trainerLocation: string;
  readonly weightKg: number | null;
  readonly vacant = false;
  readonly strength: number;
  readonly drift: number;
  readonly #raceSeed: number;
  readonly #form: () => string;

  /** `index`: the runner's index in its field, from 0. */
  constructor(raceSeed: number, index: number, entrant: Entrant, { barrier, emergency, rider, weightKg }: Start) {
    this.name = entrant.name;
    this.age = entrant.age;
    this.sex = entrant.sex;
    this.coat = entrant.coat;
    this.sire = entrant.sire;
    this.dam = entrant.dam;
    this.prizeMoney = entrant.prizeMoney;
    this.barrier = barrier;
    this.emergency = emergency;
    this.number = index + 1;
    this.jockey = rider?.name ?? null;
    this.claimKg = rider?.claimKg ?? null;
    this.trainer = entrant.trainer.name;
    this.trainerLocation = entrant.trainer.location;
    this.weightKg = weightKg;
    this.strength = strengthOf(entrant.ability, normal(raceSeed, index, 1));
    this.drift = normal(raceSeed, index, 2) * 0.24;
    this.#raceSeed = raceSeed;
    this.#form = entrant.form;
  }

  get id(): string {
    return runnerIdOf(this.#raceSeed, this.number - 1);
  }

  get form(): string {
    return this.#form();
  }
}

export const runnerIdOf = (raceSeed: number, index: number): string => uuidOf(raceSeed, `runner ${index}`);

/** Every property as a plain value. A spread lacks the properties that are computed when read. */
export const plainRunner = (runner: Runner): Runner => ({ ...runner, id: runner.id, form: runner.form });

/** The animal's ability and its luck on the day, which together have the same spread as either alone. */
const strengthOf = (ability: number, onTheDay: number): number =>
  Math.max(-2.3, Math.min(1.9, 0.6 * ability + 0.8 * onTheDay)) * 0.85;
