// The addresses of a name, by a resolver that does not use the threads of this process and reads no hosts file. The
// wait is limited: a name server that answers for one family only costs no more than that.
import { Resolver as Dns } from 'node:dns/promises';

/** All addresses of a name. Rejects with `NameNotFound` if there are none, with another error if that is uncertain. */
export type Resolver = (name: string) => Promise<readonly string[]>;

export class NameNotFound extends Error {
  override readonly name = 'NameNotFound';
}

const PATIENCE_MS = 3000;
const NO_SUCH = ['ENOTFOUND', 'ENODATA'];

/** `servers`: default those of this machine. */
export function createResolver(patienceMs = PATIENCE_MS, servers?: readonly string[]): Resolver {
  // The second try waits twice as long.
  const dns = new Dns({ timeout: Math.max(1, Math.floor(patienceMs / 3)), tries: 2 });
  if (servers) dns.setServers(servers);
  return async (name) => {
    const addresses: string[] = [];
    let denials = 0;
    const families = [dns.resolve4(name), dns.resolve6(name)].map((family) =>
      family.then(
        (found) => void addresses.push(...found),
        ({ code }: NodeJS.ErrnoException) => {
          if (NO_SUCH.includes(code ?? '')) denials += 1;
        },
      ),
    );
    await within(patienceMs, Promise.all(families));
    if (addresses.length > 0) return [...addresses];
    throw denials === families.length ? new NameNotFound('no such name') : new Error('the name could not be resolved');
  };
}

async function within(patienceMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
