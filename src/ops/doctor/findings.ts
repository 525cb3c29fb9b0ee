// The findings of `ops doctor`, a sentence each. Pure: the servers' answers are arguments.
import type { Reached } from '../../config/transport';
import type { ServerFacts } from '../../store/pg/server-facts';
import type { Sealing } from '../../store/secrets/stored-secrets';

export interface Finding {
  /** `note`: nothing is visibly wrong, and something is unknown. */
  readonly is: 'ok' | 'note' | 'fails';
  readonly sentence: string;
}

const ok = (sentence: string): Finding => ({ is: 'ok', sentence });
const note = (sentence: string): Finding => ({ is: 'note', sentence });
const fails = (sentence: string): Finding => ({ is: 'fails', sentence });

/** `isPrivate`: the operator names the network between the machines as private. */
export function transportFinding(
  name: string,
  { isHere, isEncrypted }: Pick<Reached, 'isHere' | 'isEncrypted'>,
  isPrivate: boolean,
): Finding {
  if (isEncrypted) return ok(`${name} is reached by TLS.`);
  if (isHere) return ok(`${name} is on this machine and needs no TLS.`);
  if (isPrivate)
    return note(`${name} is reached without TLS, over a network that INSECURE_TRANSPORT names as private.`);
  return fails(`${name} is on another machine and is reached without TLS.`);
}

export function loginFinding({ login, isOwner, groups }: ServerFacts, isSuperuser: boolean): Finding {
  if (isSuperuser) return fails(`The login ${login} is a superuser, or may become one: no right stops it.`);
  if (isOwner)
    return fails(
      `The login ${login} owns the database: keep it for migrations, and give processes one of racing_worker or racing_api.`,
    );
  if (groups.length === 0) return fails(`The login ${login} belongs to neither racing_worker nor racing_api.`);
  if (groups.length > 1)
    return fails(`The login ${login} has the rights of both groups, racing_worker and racing_api.`);
  return ok(`The login ${login} has the rights of ${groups[0]} and no more.`);
}

export const sessionFinding = (lacking: readonly string[]): Finding =>
  lacking.length === 0
    ? ok('Sessions of DATABASE_URL have the time zone, the limits and the clock of a process.')
    : fails(`In sessions of DATABASE_URL ${lacking.join('; ')}: run ops roles, and let the pooler connect again.`);

export const directFinding = (problem: string | null): Finding =>
  problem === null
    ? ok('DATABASE_DIRECT_URL leads past any pooler, to the database of DATABASE_URL.')
    : fails(`${problem}.`);

/** Processes set their wall clock to the database's when the two differ by more. */
const SAME_CLOCK_MS = 250;

/** `aheadMs`: this machine's clock ahead of the database's. */
export function clockFinding(aheadMs: number): Finding {
  if (Math.abs(aheadMs) <= SAME_CLOCK_MS)
    return ok('The clocks of this machine and of the database agree within 250 ms.');
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  return fails(`The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's.`);
}

const HOUR_MS = 3_600_000;

/** Only PostgreSQL's own archive of its log can be seen from here. */
export function backupFinding({ archives, lastArchivedAt, lastFailedAt, now }: ServerFacts): Finding {
  if (!archives) return note('PostgreSQL archives no log (archive_mode is off): no backup can be seen from here.');
  if (lastFailedAt !== null && (lastArchivedAt === null || lastFailedAt > lastArchivedAt))
    return fails(`PostgreSQL's last attempt to archive its log failed, at ${lastFailedAt}.`);
  if (lastArchivedAt === null) return fails('PostgreSQL has not archived any of its log yet.');
  if (Date.parse(now) - Date.parse(lastArchivedAt) > HOUR_MS)
    return fails(`PostgreSQL last archived its log at ${lastArchivedAt}, more than an hour ago.`);
  return ok(`PostgreSQL last archived its log at ${lastArchivedAt}.`);
}

/**
 * `keyIds`: those of SECRET_KEYS. One finding about the stored secrets, and one about keys that this process lacks, if
 * any.
 */
export function secretFindings({ keyId, byKey }: Sealing, keyIds: readonly string[]): Finding[] {
  const missing = [...new Set([...byKey.keys(), keyId ?? ''])].filter((id) => id !== '' && !keyIds.includes(id)).sort();
  return [
    storedFinding(keyId, byKey),
    ...missing.map((id) => {
      const stored = `${byKey.get(id) ?? 0} stored secrets are sealed under it`;
      const seals = id === keyId ? ', and so is every new one' : '';
      return fails(`SECRET_KEYS of this process lacks the key ${id}: ${stored}${seals}.`);
    }),
  ];
}

function storedFinding(keyId: string | null, byKey: Sealing['byKey']): Finding {
  if (keyId === null) return note('Secrets are stored as they are: ops secrets seal has not been run.');
  const plain = byKey.get('') ?? 0;
  const all = [...byKey.values()].reduce((sum, secrets) => sum + secrets, 0);
  const others = all - plain - (byKey.get(keyId) ?? 0);
  if (plain + others === 0)
    return ok(`All ${all} stored secrets that this login may read are sealed under the key ${keyId}.`);
  return fails(
    `Of ${all} stored secrets that this login may read ${plain} are not sealed, and ${others} are under another key than ${keyId}: run ops secrets seal again.`,
  );
}

export const imageFinding = (digest: string | null): Finding =>
  digest === null ? note('IMAGE_DIGEST is not set: which image runs is not known.') : ok(`The image is ${digest}.`);

/** `reply`: a status, or why there was none. */
export function addressFinding(baseUrl: string, reply: number | string): Finding {
  if (!baseUrl.startsWith('https:')) return fails(`BASE_URL is ${baseUrl}, which is not https.`);
  if (reply === 200) return ok(`The API answers at ${baseUrl}.`);
  return fails(`The API does not answer at ${baseUrl}: ${typeof reply === 'number' ? `status ${reply}` : reply}.`);
}

export const answers = (name: string, reason: string | null): Finding =>
  reason === null ? ok(`${name} answers.`) : fails(`${name} does not answer: ${reason}.`);
