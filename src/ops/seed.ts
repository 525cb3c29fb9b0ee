// Issues the keys of a fresh installation into a file that only its owner may read. Running it again keeps every key that still works.
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Instant } from '../domain/race/race';
import { isWellFormedKey } from '../plans/api-key';
import { hashApiKey, type KeyStore } from '../store/keys';
import { issueKey, type KeyOrder } from './issue-key';

const SEEDED: Readonly<Record<string, KeyOrder>> = {
  demo_key: { label: 'demo', plan: 'free', role: 'customer' },
  plus_key: { label: 'plus', plan: 'plus', role: 'customer' },
  internal_key: { label: 'internal', plan: 'enterprise', role: 'internal' },
  /** The simulator's key for pushing the push-fed books. */
  simulator_key: { label: 'simulator', plan: 'enterprise', role: 'internal' },
};

/** Returns the names of the keys issued by this run. */
export async function seedKeys(keys: KeyStore, file: string, at: Instant): Promise<readonly string[]> {
  const existing = readKeys(file);
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
  return minted;
}

const works = async (keys: KeyStore, key: string): Promise<boolean> =>
  isWellFormedKey(key) && (await keys.find([hashApiKey(key)]))[0] !== null;

function readKeys(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** Replaces the file atomically, and never readable by others, not even for a moment. */
function writeKeys(file: string, keys: Readonly<Record<string, string>>): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}
