// Accounts of customers: opened with an owner, listed, moved to another plan.
import { randomBytes } from 'node:crypto';
import { readAddress } from '../accounts/email/address';
import { createOpenAccount } from '../accounts/keys/open-account';
import { AppError } from '../errors';
import { PLAN_IDS } from '../plans/plans';
import type { KeyRegister, RegisteredAccount } from '../store/keys/key-register';
import { type Command, Mistake, required } from './command';
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
      const open = createOpenAccount(stores.newAccounts, wallMs, randomBytes);
      const opened = await open(order).catch((error) => {
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
      const { accountId, plan: before } = await accountOf(keyRegister, words[0]);
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
      const { accountId, plan: before } = await accountOf(keyRegister, words[0]);
      const plan = await keyRegister.releasePlan(accountId, PLAN_IDS[0], PLANS_WITH_OVERAGE);
      return `the account ${accountId} is on the plan ${plan}, before on ${before}`;
    },
  },
];

async function accountOf(register: KeyRegister, word: string | undefined) {
  const name = required(word, 'ACCOUNT');
  const account = await register.account(name);
  if (account) return account;
  throw new Mistake(`There is no account ${name}, or more than one.`);
}

function listed(accounts: readonly RegisteredAccount[]): string {
  const rows = accounts.map(({ accountId, plan, createdAt, email, keys }) => [
    accountId,
    plan,
    createdAt,
    String(keys),
    email ?? '-',
  ]);
  return table([['account', 'plan', 'created', 'keys', 'owner'], ...rows]);
}
