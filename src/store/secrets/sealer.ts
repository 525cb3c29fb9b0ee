// How stores write and read values that must be read again: sealed as soon as the database requires it, and always
// readable in both forms, so that processes with and without sealing work side by side. The sealing key is a level in
// the database (`ops secrets seal`), never a process's own choice: no process seals under a key that others may not
// have yet.
import { randomBytes } from 'node:crypto';
import { metrics } from '@opentelemetry/api';
import type { ClientBase } from 'pg';
import { isSealed, type KeyRing, NONCE_BYTES, open, type SealedPlace, seal } from './seal';

export type OpenedText = { readonly text: string } | { readonly problem: string };

export interface Sealer {
  /**
   * In the caller's transaction that writes the value: what to store. Until the transaction ends, the sealing key stays
   * the same. Rejects if this process lacks that key: a plain value would be readable in every backup.
   */
  sealed(client: ClientBase, place: SealedPlace, plain: string): Promise<string>;
  /** `problem`: the reason why it cannot be opened here; counted. */
  open(place: SealedPlace, stored: string): OpenedText;
  /** The same for bytes. */
  openBytes(place: SealedPlace, stored: Buffer): { readonly bytes: Buffer } | { readonly problem: string };
}

const unopened = metrics.getMeter('racing-odds/store').createCounter('racing.secrets.unopened', {
  description: 'Stored secrets that a process could not open, by table: what needs them waits',
});

const KEY = { name: 'sealing-key', text: 'SELECT sealing_key() AS id' };

export function createSealer(ring: KeyRing, random: (size: number) => Buffer = randomBytes): Sealer {
  // Series that exist before the first failure: a rate needs the 0 before it.
  for (const table of ['webhooks', 'mails', 'service_secrets']) unopened.add(0, { table });
  const opened = (place: SealedPlace, stored: string) => {
    const result = open(stored, place, ring);
    if ('problem' in result) unopened.add(1, { table: place.table });
    return result;
  };
  return {
    async sealed(client, place, plain) {
      const { rows } = await client.query<{ id: string | null }>(KEY);
      const { id } = rows[0]!;
      if (id === null) return plain;
      const key = ring.find((each) => each.id === id);
      if (!key) throw new Error(`secrets are sealed under the key ${id}, which SECRET_KEYS does not have`);
      return seal(Buffer.from(plain), place, key, random(NONCE_BYTES));
    },
    open(place, stored) {
      const result = opened(place, stored);
      return 'problem' in result ? result : { text: result.plain.toString() };
    },
    openBytes(place, stored) {
      // Each byte is a character, so that plain bytes come back unchanged.
      const text = stored.toString('latin1');
      if (!isSealed(text)) return { bytes: stored };
      const result = opened(place, text);
      return 'problem' in result ? result : { bytes: result.plain };
    },
  };
}

/** Without keys: for a database whose secrets are not sealed. */
export const NO_KEYS: Sealer = createSealer([]);
