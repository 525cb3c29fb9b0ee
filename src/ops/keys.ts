// API keys and their accounts: issued, listed, revoked, replaced, moved to another plan. A key is printed once, when it
// is issued. Every change takes effect in each API process at once, or within 5 seconds if announcements do not pass
// (`src/api/kernel/endpoint/caller.ts`).
import { randomBytes } from 'node:crypto';
import { newKey } from '../accounts/keys/new-key';
import type { KeyRegister, RegisteredKey } from '../store/keys/key-register';
import type { Wiring } from '../wiring/service';
import { requireOpen } from './accounts';
import { type Command, type Given, Mistake, required } from './command';
import { issueKey, type KeyOrder, PUSHED, pusherOf } from './issue-key';
import { PLAN_IS, PLAN_STANDS, PLANS_WITH_OVERAGE, planOf } from './plan';
import { table } from './table';

const instantNow = ({ wallMs }: Wiring): string => new Date(wallMs()).toISOString();

export const KEY_COMMANDS: readonly Command[] = [
  {
    name: 'keys',
    synopsis: '--label LABEL --plan PLAN [--role internal] | --account ACCOUNT | --role pusher --book BOOK',
    about: 'issue one key and print it',
    help: [
      'The key gets an account of its own, or belongs to ACCOUNT and shares its plan and credits: the account of `keys list`.',
      PLAN_IS,
      'An internal key sees what is withheld from customers. A pusher’s key pushes the prices of one book and sees nothing:',
      `BOOK is ${PUSHED.join(' or ')}.`,
    ].join('\n'),
    run: async (wiring, given) => {
      const order = await orderOf(wiring.stores.keyRegister, given);
      return issueKey(wiring.stores.keys, order, instantNow(wiring));
    },
  },
  {
    name: 'keys list',
    synopsis: '',
    about: 'list every key, without the key itself',
    run: async ({ stores }) => listed(await stores.keyRegister.list()),
  },
  {
    name: 'keys revoke',
    synopsis: 'LAST4|ID',
    about: 'revoke the key with these last four characters, or with this id, and the keys that it replaced',
    help: 'An owner cannot replace a revoked primary key: `keys replace ACCOUNT` does.',
    words: 1,
    async run(wiring, { words }) {
      const { keyRegister } = wiring.stores;
      const key = await onlyOne(keyRegister, words[0]);
      if (key.revokedAt !== null) return `${nameOf(key)} is revoked since ${key.revokedAt}`;
      const next = await keyRegister.revoke(key.id, instantNow(wiring));
      const more = next === null ? '' : `; its replacement …${next} works: revoke that too, if the key was stolen`;
      return `${nameOf(key)} is revoked${more}`;
    },
  },
  {
    name: 'keys replace',
    synopsis: 'ACCOUNT',
    about: 'print a new primary key for an account whose primary key was revoked',
    help: 'ACCOUNT is the account of `keys list`. The new key has the id, issue instant, label and allow-list of the revoked one, so its limits, usage and rights.',
    words: 1,
    async run(wiring, { words }) {
      const name = required(words[0], 'ACCOUNT');
      const { keyRegister } = wiring.stores;
      const account = await keyRegister.account(name);
      if (!account) throw noAccount(name);
      requireOpen(account);
      const { key, hash: newHash, last4 } = newKey(randomBytes);
      const replacement = { accountId: account.accountId, newHash, last4, at: instantNow(wiring) };
      if ((await keyRegister.replaceRevoked(replacement)) === null)
        throw new Mistake(`The account ${name} has no revoked primary key: a key that works is replaced by its owner.`);
      return key;
    },
  },
  {
    name: 'keys plan',
    synopsis: 'LAST4|ID PLAN',
    about: 'move the account of a key to another plan, with all its keys',
    help: `${PLAN_IS}\n${PLAN_STANDS}`,
    words: 2,
    async run({ stores }, { words }) {
      const plan = planOf(required(words[1], 'PLAN'));
      const key = await onlyOne(stores.keyRegister, words[0]);
      if (key.role === 'pusher') throw new Mistake(`${nameOf(key)} pushes prices: it has no plan.`);
      if (key.revokedAt !== null) throw new Mistake(`${nameOf(key)} is revoked since ${key.revokedAt}.`);
      await stores.keyRegister.setPlan(key.accountId, plan, PLANS_WITH_OVERAGE);
      return `the account ${key.accountId.slice(0, ID_SHOWN)} of ${nameOf(key)} is on the plan ${plan}, before on ${key.plan}`;
    },
  },
];

async function orderOf(register: KeyRegister, { options }: Given): Promise<KeyOrder> {
  const { role = 'customer', book, account } = options;
  const label = required(options.label, '--label');
  if (role === 'pusher') {
    if (account !== undefined) throw new Mistake('--account: a pusher has no plan and no credits to share.');
    if (PUSHED.includes(book ?? '')) return pusherOf(book!, label);
    throw new Mistake(`--book: one of ${PUSHED.join(', ')}.`);
  }
  if (role !== 'customer' && role !== 'internal') throw new Mistake('--role: customer, internal or pusher.');
  if (book !== undefined) throw new Mistake('--book goes with --role pusher.');
  if (account === undefined) return { label, role, plan: planOf(required(options.plan, '--plan')) };
  if (options.plan !== undefined) throw new Mistake('--plan: a key has the plan of its account.');
  const found = await register.account(account);
  if (!found) throw noAccount(account);
  const { accountId, plan } = requireOpen(found);
  return { label, role, accountId, plan };
}

const noAccount = (name: string): Mistake =>
  new Mistake(`There is no account ${name}, or more than one: keys list shows the account of each key.`);

/**
 * Among several with these four characters the one that still works. If more than one is left, it refuses and lists
 * them.
 */
async function onlyOne(register: KeyRegister, word: string | undefined): Promise<RegisteredKey> {
  const name = required(word, 'LAST4 or ID');
  const found = await register.named(name);
  const working = found.filter(({ revokedAt }) => revokedAt === null);
  const [key, ...others] = working.length > 0 ? working : found;
  if (!key) throw new Mistake(`There is no key ${name}: keys list shows the last four characters and the id of each.`);
  if (others.length === 0) return key;
  throw new Mistake(`${others.length + 1} keys are named ${name}: give the id of one.\n${listed([key, ...others])}`);
}

/** Enough of the hash to identify a key. */
const ID_SHOWN = 12;

const nameOf = ({ last4, label }: RegisteredKey): string => `the key …${last4} (${label})`;

function listed(keys: readonly RegisteredKey[]): string {
  const rows = keys.map(({ id, accountId, last4, label, role, bookmakerKey, plan, issuedAt, revokedAt }) => [
    id.slice(0, ID_SHOWN),
    accountId.slice(0, ID_SHOWN),
    last4,
    role === 'pusher' ? `pusher of ${bookmakerKey}` : role,
    role === 'pusher' ? '-' : plan,
    issuedAt,
    revokedAt ?? '-',
    label,
  ]);
  return table([['id', 'account', 'last4', 'role', 'plan', 'created', 'revoked', 'label'], ...rows]);
}
