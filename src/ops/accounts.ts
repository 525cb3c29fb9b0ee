// Accounts of customers: opened with an owner, listed, moved to another plan, exported, closed.
import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { readAddress } from '../accounts/email/address';
import { createOpenAccount } from '../accounts/keys/open-account';
import { closeAccount } from '../accounts/leaving/close-account';
import { exportAccount } from '../accounts/leaving/export-account';
import { AppError } from '../errors';
import { PLAN_IDS } from '../plans/plans';
import type { KeyRegister, RegisteredAccount } from '../store/keys/key-register';
import { type Command, kept, Mistake, required } from './command';
import { PLAN_IS, PLAN_STANDS, PLANS_WITH_OVERAGE, planOf } from './plan';
import { table } from './table';

const ACCOUNT = 'ACCOUNT is its id, or the first eight characters or more.';

export const ACCOUNT_COMMANDS: readonly Command[] = [
  {
    name: 'accounts create',
    synopsis: '--label LABEL --plan PLAN [--email ADDRESS]',
    about: 'open an account for a customer and print its key',
    help: [
      'LABEL is what the key is for.',
      PLAN_IS,
      'With ADDRESS the account has an owner, who signs in by a mailed link: you vouch for the address, and that the terms are accepted.',
    ].join('\n'),
    async run({ stores, wallMs }, { options: { label, plan, email } }) {
      const order = { label: required(label, '--label'), plan: planOf(required(plan, '--plan')), email: email ?? null };
      if (email !== undefined && !readAddress(email)) throw new Mistake(`'${email}' is no e-mail address.`);
      const openAccount = createOpenAccount(stores.newAccounts, wallMs, randomBytes);
      const opened = await openAccount(order).catch((error) => {
        throw error instanceof AppError ? new Mistake(error.message) : error;
      });
      return opened.key;
    },
  },
  {
    name: 'accounts list',
    synopsis: '',
    about: 'list every account with its owner',
    run: async ({ stores }) => listed(await stores.keyRegister.accounts()),
  },
  {
    name: 'accounts plan',
    synopsis: 'ACCOUNT PLAN',
    about: 'move an account to another plan, with all its keys',
    help: `${ACCOUNT}\n${PLAN_IS}\n${PLAN_STANDS}`,
    words: 2,
    async run({ stores: { keyRegister } }, { words }) {
      const plan = planOf(required(words[1], 'PLAN'));
      const { accountId, plan: before } = requireOpen(await accountOf(keyRegister, words[0]));
      await keyRegister.setPlan(accountId, plan, PLANS_WITH_OVERAGE);
      return `the account ${accountId} is on the plan ${plan}, before on ${before}`;
    },
  },
  {
    name: 'accounts release',
    synopsis: 'ACCOUNT',
    about: 'give an account the plan again that it buys; Free if it buys none',
    help: `${ACCOUNT}\nEnds what \`accounts plan\` or \`keys plan\` has set.`,
    words: 1,
    async run({ stores: { keyRegister } }, { words }) {
      const { accountId, plan: before } = requireOpen(await accountOf(keyRegister, words[0]));
      const plan = await keyRegister.releasePlan(accountId, PLAN_IDS[0], PLANS_WITH_OVERAGE);
      return `the account ${accountId} is on the plan ${plan}, before on ${before}`;
    },
  },
  {
    name: 'accounts close',
    synopsis: 'ACCOUNT',
    about: 'close an account for good: its keys, its subscription and its personal data end',
    help: 'ACCOUNT is its whole id. The ledger and the invoices stay; overage is invoiced once more. Running it again changes nothing.',
    words: 1,
    async run({ stores, config, wallMs }, { words }) {
      const { accountId } = await accountOf(stores.keyRegister, words[0]);
      if (accountId !== words[0]) throw new Mistake(`Nothing opens an account again: give its whole id, ${accountId}.`);
      const { closures } = stores;
      const closed = await closeAccount({ closures, wallMs, baseUrl: config.api.baseUrl }, accountId);
      return closed === 'closed'
        ? `the account ${accountId} is closed`
        : kept(`the account ${accountId} was closed before`);
    },
  },
  {
    name: 'accounts export',
    synopsis: 'ACCOUNT --file FILE',
    about: 'write what is stored of an account to a file, as its owner can download it',
    help: `${ACCOUNT}\nOnly the owner of FILE may read it. A file that exists is not replaced.`,
    words: 1,
    async run({ stores, wallMs }, { words, options }) {
      const file = required(options.file, '--file');
      const { accountId } = await accountOf(stores.keyRegister, words[0]);
      await writeExport(await exportAccount(stores, accountId, wallMs()), file);
      return `the account ${accountId} is in ${file}`;
    },
  },
];

/** Unfinished, it is removed: a part is never taken for all. */
async function writeExport(pieces: AsyncIterable<string>, file: string): Promise<void> {
  const target = await open(file, 'wx', 0o600).catch((error: Error) => {
    throw new Mistake(`${file} cannot be written: ${error.message}`);
  });
  try {
    await pipeline(pieces, target.createWriteStream());
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/** Refuses a closed account, which nothing opens again. */
export function requireOpen<T extends { readonly accountId: string; readonly closedAt: string | null }>(account: T): T {
  if (account.closedAt === null) return account;
  throw new Mistake(`The account ${account.accountId} is closed.`);
}

async function accountOf(register: KeyRegister, word: string | undefined) {
  const name = required(word, 'ACCOUNT');
  const account = await register.account(name);
  if (account) return account;
  throw new Mistake(`There is no account ${name}, or more than one.`);
}

function listed(accounts: readonly RegisteredAccount[]): string {
  const rows = accounts.map(({ accountId, plan, createdAt, email, keys, closedAt }) => [
    accountId,
    plan,
    createdAt,
    String(keys),
    email ?? (closedAt === null ? '-' : 'closed'),
  ]);
  return table([['account', 'plan', 'created', 'keys', 'owner'], ...rows]);
}
