// What an operator's command is, and the error that is the operator's own: one sentence, exit code 2.
import type { RaceHeader } from '../store/card/races';
import type { Wiring } from '../wiring/service';

/** As they were typed. */
export interface Given {
  readonly options: Readonly<Record<string, string | undefined>>;
  /** The words behind the command's name. */
  readonly words: readonly string[];
}

export interface Command {
  /** `keys revoke` */
  readonly name: string;
  /** What follows the name, as usage shows it: `--race RACE_ID --file FILE`. Names every option. */
  readonly synopsis: string;
  /** What it does, in a sentence without its full stop. */
  readonly about: string;
  /** How many words may follow the name. Default 0. */
  readonly words?: number;
  /** More for its own help. */
  readonly help?: string;
  /** Returns what is printed at its end; `say` prints a line before. Can be run again. */
  run(wiring: Wiring, given: Given, say: (line: string) => void): Promise<string>;
}

/** The output of a command that had nothing to do. `npm start` gives it no check mark. */
export const kept = (what: string): string => `kept: ${what}`;

export class Mistake extends Error {
  override readonly name = 'Mistake';
}

/** Nothing was done, because what it needs is not here: exit code 3. */
export class NotRun extends Error {
  override readonly name = 'NotRun';
}

/** An argument or an option is missing: the usage shows where it goes. */
export class Missing extends Mistake {}

export function required(value: string | undefined, what: string): string {
  if (!value) throw new Missing(`${what} is missing`);
  return value;
}

export async function requireRace({ stores }: Wiring, raceId: string): Promise<RaceHeader> {
  const header = await stores.races.raceHeader(raceId);
  if (!header) throw new Mistake(`There is no race ${raceId}.`);
  return header;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

export function raceId({ options }: Given): string {
  const given = required(options.race, '--race');
  if (!isUuid(given)) throw new Mistake(`'${given}' is no race id: give \`race_id\` as every response has it.`);
  return given;
}
