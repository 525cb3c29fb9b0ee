// Issues the keys of a fresh installation into a file that only its owner may read. Running it again keeps every key
// that still works.
import { chmodSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Instant } from '../domain/race/race';
import { isWellFormedKey } from '../plans/api-key';
import { hashApiKey, type KeyStore } from '../store/keys/keys';
import type { Stores } from '../store/stores';
import { Mistake } from './command';
import { issueKey, type KeyOrder, pusherOf } from './issue-key';
import { readJson } from './read-json';

const SIMULATED = ['betgold', 'boostbet', 'ladbrokes_au', 'pointsbetau', 'sportsbet', 'tab'];

const SEEDED: Readonly<Record<string, KeyOrder>> = {
  demo_key: { label: 'demo', plan: 'free', role: 'customer' },
  plus_key: { label: 'plus', plan: 'plus', role: 'customer' },
  internal_key: { label: 'internal', plan: 'enterprise', role: 'internal' },
  /** With these the simulator pushes the races of the push-fed books, and all books' matches. */
  ...Object.fromEntries(SIMULATED.map((book) => [`push_${book}_key`, pusherOf(book, 'simulator')])),
};

/** Earlier versions gave the simulator an internal key, which saw everything. */
const REPLACED = 'simulator_key';

/** Returns the names of the keys issued by this run. */
export async function seedKeys(
  { keys, keyRegister }: Pick<Stores, 'keys' | 'keyRegister'>,
  file: string,
  at: Instant,
): Promise<readonly string[]> {
  if (!existsSync(dirname(file))) throw new Mistake(`The folder ${dirname(file)} does not exist.`);
  const { [REPLACED]: replaced, ...existing } = existsSync(file) ? (readJson(file) as Record<string, string>) : {};
  const minted: string[] = [];
  const now: Record<string, string> = {};
  for (const [name, order] of Object.entries(SEEDED)) {
    const key = existing[name];
    if (key !== undefined && (await works(keys, key))) now[name] = key;
    else {
      now[name] = await issueKey(keys, order, at);
      minted.push(name);
    }
  }
  writeKeys(file, { ...existing, ...now });
  if (replaced !== undefined) await keyRegister.revoke(hashApiKey(replaced).toString('hex'), at);
  return minted;
}

const works = async (keys: KeyStore, key: string): Promise<boolean> =>
  isWellFormedKey(key) && (await keys.find([hashApiKey(key)]))[0] !== null;

/** Replaces the file atomically; others can never read it, not even for a moment. */
function writeKeys(file: string, keys: Readonly<Record<string, string>>): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}
