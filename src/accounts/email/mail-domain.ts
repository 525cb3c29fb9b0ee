// Whether a domain can receive mail, by its DNS records (RFC 5321 5.1, RFC 7505). Only a certain no counts: DNS that is
// away, slow or broken is no answer, and the mailed link is the proof (D40).

/** As `node:dns/promises` has them. Rejects with the `code` of the failure. */
export interface MailResolver {
  resolveMx(domain: string): Promise<readonly { readonly exchange: string }[]>;
  resolve4(domain: string): Promise<readonly string[]>;
  resolve6(domain: string): Promise<readonly string[]>;
}

/** Never rejects. */
export type ReceivesMail = (domain: string) => Promise<'yes' | 'no' | 'unsure'>;

export const DNS_WITHIN_MS = 2000;

export function createReceivesMail(resolver: MailResolver, withinMs = DNS_WITHIN_MS): ReceivesMail {
  return async (domain) => {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<'unsure'>((done) => {
      timer = setTimeout(() => done('unsure'), withinMs);
    });
    try {
      return await Promise.race([look(resolver, domain), tooLate]);
    } catch {
      return 'unsure';
    } finally {
      clearTimeout(timer);
    }
  };
}

async function look(resolver: MailResolver, domain: string): Promise<'yes' | 'no'> {
  const servers = await orNone(resolver.resolveMx(domain));
  if (servers === 'no domain') return 'no';
  // One record without a name: the domain takes no mail.
  if (servers.length > 0) return servers.some(({ exchange }) => exchange !== '' && exchange !== '.') ? 'yes' : 'no';
  // Without MX records mail goes to the domain's own address, if it has one.
  const found = await Promise.all([orNone(resolver.resolve4(domain)), orNone(resolver.resolve6(domain))]);
  return found.some((addresses) => addresses !== 'no domain' && addresses.length > 0) ? 'yes' : 'no';
}

async function orNone<T>(question: Promise<readonly T[]>): Promise<readonly T[] | 'no domain'> {
  try {
    return await question;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOTFOUND') return 'no domain';
    if (code === 'ENODATA') return [];
    throw error;
  }
}
