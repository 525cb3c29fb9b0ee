// The requests of the table, filled in for one account: ids of what it owns, and bodies that the operation accepts.
import { type UpgradeWish, upgradeUrl } from '../../../../src/accounts/billing/signed-link';
import { exampleRun } from '../../../../src/api/operations/quality/audit-schema';
import { BASE_URL, NOW } from '../api';
import { BUYER } from './principals';
import { PASSWORD, type Subject } from './subjects';
import type { AccessRow } from './table';
import type { AccessWorld } from './world';

interface Filled {
  readonly path: string;
  readonly body: string | undefined;
}

type Make = (of: Subject) => object | Promise<object>;

/** By operation. Every other body is the example in the document. */
const BODIES: Readonly<Record<string, Make>> = {
  'POST /v1/account/password': () => ({ current_password: PASSWORD, new_password: `${PASSWORD}, twice` }),
  'POST /v1/billing/overage': () => ({ enabled: false }),
  'POST /v1/billing/upgrade-link': () => ({ plan: 'scale', interval: 'month' }),
  'POST /v1/signup': ({ email }) => ({ email: `new-${email}`, terms_accepted: true }),
  'POST /v1/keys/resend': ({ email }) => ({ email }),
  'POST /v1/keys/ip-whitelist': () => ['0.0.0.0/0'],
  'POST /v1/login': ({ email }) => ({ email, password: PASSWORD }),
  'POST /v1/login/request': ({ email }) => ({ email }),
  'POST /v1/login/exchange': async (of) => ({ token: await of.link('login') }),
  'POST /v1/password/forgot': ({ email }) => ({ email }),
  'POST /v1/password/reset': async (of) => ({ token: await of.link('reset'), password: `${PASSWORD}, twice` }),
  'POST /v1/webhooks': () => ({ url: 'https://93.184.216.34/odds' }),
  'POST /v1/ingest/sports/{bookmaker_key}': () => ({ bookmaker_key: 'boostbet', events: [] }),
  'POST /v1/webhooks/{webhook_id}/replay': () => ({ from: '2026-11-21T00:00:00Z', to: NOW }),
};

/** The purchases that an account must have. */
const BUYS: Readonly<Record<string, 'customer' | 'subscription'>> = {
  'GET /v1/billing/portal': 'customer',
  'POST /v1/billing/cancel': 'subscription',
};

const MINUTE_MS = 60_000;

/** `examples`: the document's example body of each operation. */
export async function requestsOf(world: AccessWorld, examples: ReadonlyMap<string, unknown>) {
  const { seeded } = world;
  const links = await upgradeLinks(world);
  const ofWorld: Readonly<Record<string, string>> = {
    race: seeded.next,
    event_id: seeded.match,
    run_id: exampleRun.id,
    // On the database's clock, which stamps the rows just written.
    since: new Date(Date.now() - MINUTE_MS).toISOString(),
    ...links,
  };
  const bought = new Set<string>();

  const fill = async (text: string, { owned }: Subject): Promise<string> => {
    const parts = text.split(/\{([^}]*)\}/);
    const filled = parts.map(async (part, i) => {
      if (i % 2 === 0) return part;
      const [name, value] = part.split(':');
      const found = value ?? ofWorld[name!] ?? (await owned[name as keyof typeof owned]?.());
      if (found === undefined) throw new Error(`access.tsv: nothing fills in {${part}}`);
      return found;
    });
    return (await Promise.all(filled)).join('');
  };

  /** `target`: the account whose things the request names. */
  return async function filled(row: AccessRow, subject: Subject, target: Subject): Promise<Filled> {
    const { operation, method } = row;
    const buys = BUYS[operation];
    if (buys && !bought.has(`${buys} ${subject.accountId}`)) {
      bought.add(`${buys} ${subject.accountId}`);
      await world.buys(subject, buys === 'subscription');
    }
    const body = method === 'GET' ? undefined : await (BODIES[operation]?.(subject) ?? examples.get(operation));
    return {
      path: await fill(row.request.split(' ')[1]!, target),
      body: body === undefined ? body : JSON.stringify(body),
    };
  };
}

/** For an account that is already a customer; one of the two has another account's signature. */
async function upgradeLinks(world: AccessWorld): Promise<Record<'signed_link' | 'forged_link', string>> {
  const buyer = await world.createSubject(BUYER);
  await world.buys(buyer, false);
  const wish: UpgradeWish = {
    account: buyer.accountId,
    plan: 'scale',
    interval: 'month',
    expires: Date.parse(NOW) / 1000 + 3600,
  };
  const secret = await world.linkSecret();
  const linkTo = (plan: string) => upgradeUrl(BASE_URL, { ...wish, plan }, secret).split('?')[1]!;
  return { signed_link: linkTo('scale'), forged_link: linkTo('plus').replace('plan=plus', 'plan=scale') };
}
