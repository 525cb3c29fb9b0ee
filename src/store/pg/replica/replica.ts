// A replica beside the primary, for reads of the past. It is compared with the primary four times a second, on
// connections of its own, so that a busy pool does not make it look old.
import { metrics } from '@opentelemetry/api';
import { createPool } from '../pool';
import { isSuperuser } from '../server-facts';
import { lackingSettings } from '../sessions/session';
import { createReplicaProof, readPrimaryPlace, readReplicaPlace } from './proof';
import { createReadRoute, type ReadRoute } from './read-route';

export interface Replica {
  readonly read: ReadRoute['read'];
  close(): Promise<void>;
}

export interface ReplicaSetup {
  readonly primaryUrl: string;
  /** Of one standby: which of several answers cannot be proven. */
  readonly url: string;
  readonly maxAgeMs: number;
  /** A replica whose login is one is not used. */
  readonly refusesSuperuser: boolean;
  readonly onChange: (usesReplica: boolean, reason: string | null) => void;
}

const COMPARE_EVERY_MS = 250;
const NEEDS = { timeouts: { connectMs: 1000, queryMs: 1000 }, readOnly: true };

const meter = metrics.getMeter('racing-odds/store');
const age = meter.createObservableGauge('racing.replica.age', {
  unit: 's',
  description: 'The replica for reads of the past shows at least what the primary showed this long ago',
});
const used = meter.createObservableGauge('racing.replica.used', {
  description: '1 while reads of the past run on the replica, 0 while they run on the primary',
});
const reads = meter.createCounter('racing.replica.reads', { description: 'Reads of the past, by server' });

export function watchReplica({ primaryUrl, url, maxAgeMs, refusesSuperuser, onChange }: ReplicaSetup): Replica {
  const primary = createPool(primaryUrl, 1, NEEDS);
  const replica = createPool(url, 1, NEEDS);
  const proof = createReplicaProof();
  const onRead = (server: 'replica' | 'primary'): void => reads.add(1, { server });
  const route = createReadRoute({ maxAgeMs, nowMs: () => performance.now(), onChange, onRead });
  let isClosed = false;
  const refuse = (error: Error): void => {
    if (isClosed) return;
    proof.forget();
    route.compared(proof.provenMs(), error.message);
  };
  let isJudged = false;
  const judge = async (): Promise<void> => {
    if (isJudged) return;
    if (refusesSuperuser && (await isSuperuser(replica)))
      throw new Error('the login of DATABASE_READ_URL is a superuser');
    const missing = await lackingSettings(replica, NEEDS);
    if (missing.length > 0) throw new Error(`in sessions of DATABASE_READ_URL ${missing.join('; ')}`);
    isJudged = true;
  };
  const compare = async (): Promise<void> => {
    const sentMs = performance.now();
    // Without the primary nothing more is proven, and the age grows.
    const ofPrimary = await readPrimaryPlace(primary).catch(() => null);
    if (!ofPrimary) return;
    const ofReplica = await judge()
      .then(() => readReplicaPlace(replica))
      .catch(refuse);
    if (!ofReplica || isClosed) return;
    const reason = proof.add(sentMs, ofPrimary, ofReplica);
    route.compared(proof.provenMs(), reason);
  };
  let isComparing = false;
  replica.on('error', refuse);
  const observe = observed(route);
  const timer = setInterval(() => {
    // One comparison may hang meanwhile: the log shall say that the replica is too old.
    route.usesReplica();
    if (isComparing) return;
    isComparing = true;
    void compare().finally(() => {
      isComparing = false;
    });
  }, COMPARE_EVERY_MS).unref();
  return {
    read: (onReplica, onPrimary) => route.read(onReplica, onPrimary),
    async close() {
      isClosed = true;
      clearInterval(timer);
      observe.end();
      await Promise.all([primary.end(), replica.end()]);
    },
  };
}

function observed(route: ReadRoute) {
  const observeAge = (gauge: { observe(seconds: number): void }): void => {
    const ms = route.ageMs();
    if (ms !== null) gauge.observe(ms / 1000);
  };
  const observeUse = (gauge: { observe(one: number): void }): void => gauge.observe(route.usesReplica() ? 1 : 0);
  age.addCallback(observeAge);
  used.addCallback(observeUse);
  return {
    end(): void {
      age.removeCallback(observeAge);
      used.removeCallback(observeUse);
    },
  };
}
