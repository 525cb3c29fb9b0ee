// How a customer names one animal (B 4.6, B 4.7): a name in any spelling, `pe:` before it, or the id of a registry.
import { runnerKey } from '../race/runner';
import type { RunCategory } from './stored-run';

/** By folded name, all animals of that name; or by id, of which a horse has another at each meeting. */
export type AnimalQuery = { readonly key: string } | { readonly ref: string };

/** `prefix:id`; without a prefix, digits alone are an id of the first registry. */
const REGISTRIES: Readonly<Record<RunCategory, readonly string[]>> = { horse: ['ra'], greyhound: ['grv', 'grsa'] };
const NAME_PREFIX = /^pe:/i;
const BARE_ID = /^-?\d+$/;

/** Null if the text has no letter or digit, so that it names none. */
export function animalQuery(text: string, category: RunCategory): AnimalQuery | null {
  const given = text.trim();
  const registries = REGISTRIES[category];
  if (BARE_ID.test(given)) return { ref: `${registries[0]}:${given}` };
  const [, registry, id] = /^([a-z]+):\s*(\S+)$/i.exec(given) ?? [];
  if (registry !== undefined && registries.includes(registry.toLowerCase()))
    return { ref: `${registry.toLowerCase()}:${id}` };
  const key = runnerKey(category === 'horse' ? given.replace(NAME_PREFIX, '') : given);
  return key === '' ? null : { key };
}
