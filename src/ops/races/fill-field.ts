// Writes a race's full field by hand, after every scheduled pass failed (A 3 "any fill"), and signals the race's
// workflow. The whole file is checked before anything is written.
import { type Static, Type } from '@sinclair/typebox';
import Ajv from 'ajv';
import { signalLateFill } from '../../activities/races/signal-race';
import { fieldSource } from '../../domain/results/field-coverage';
import type { ResultRunner } from '../../domain/results/result';
import type { Wiring } from '../../wiring/service';
import { Mistake, requireRace } from '../command';
import { readJson } from '../read-json';
import { withTemporal } from '../temporal';

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const text = nullable(Type.String({ minLength: 1 }));
const whole = Type.Integer({ minimum: 1 });

const Runner = Type.Object(
  {
    number: whole,
    name: Type.String({ minLength: 1 }),
    box: nullable(whole),
    position: nullable(whole),
    status: Type.Union((['ran', 'scratched', 'late_scratching', 'reserve'] as const).map((each) => Type.Literal(each))),
    dead_heat: Type.Boolean(),
    jockey: text,
    trainer: text,
    sp: nullable(Type.Number({ exclusiveMinimum: 1 })),
    sp_note: text,
    margin: text,
    time_s: nullable(Type.Number({ exclusiveMinimum: 0 })),
    abnormal: text,
    runner_ref: text,
    origin: Type.String({ minLength: 1 }),
    // Served with the other members but derived from the name: accepted, never stored.
    horse_ref: Type.Optional(text),
  },
  { additionalProperties: false },
);
const Field = Type.Array(Runner, { minItems: 1 });

const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile<Static<typeof Field>>(Field);

/** Returns one line for the operator. Throws a `Mistake` for an invalid file or race. */
export async function fillField(wiring: Wiring, raceId: string, file: string): Promise<string> {
  const { results } = wiring.stores;
  const runners = readField(file);
  const header = await requireRace(wiring, raceId);
  if (!(await results.read(raceId))) throw new Mistake(`Race ${raceId} has no result yet.`);
  const source = fieldSource(header.identity.category, header.country);
  if (!source)
    throw new Mistake(`There is no registry that publishes the field of this race (${header.identity.category}).`);
  await results.fillField(raceId, runners, source, new Date(wiring.now()).toISOString());
  await withTemporal(wiring, (client) => signalLateFill({ client }, raceId));
  return `the field of ${header.venueCanonical} R${header.identity.raceNumber} is complete: ${runners.length} runners`;
}

function readField(file: string): ResultRunner[] {
  const field = readJson(file);
  if (!validate(field)) {
    const wrong = (validate.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message}`);
    throw new Mistake(`${file}: ${[...new Set(wrong)].join('; ')}.`);
  }
  const numbers = field.map((runner) => runner.number);
  if (new Set(numbers).size !== numbers.length) throw new Mistake(`${file}: a number stands twice.`);
  return field.map(({ horse_ref: _, ...runner }) => runner) as ResultRunner[];
}
