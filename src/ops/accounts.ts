// Accounts of customers: opened with an owner, listed, moved to another plan.
import { randomBytes } from 'node:crypto';
import { readAddress } from '../accounts/email/address';
import { createOpenAccount } from '../accounts/keys/open-account';
import { AppError } from '../errors';
import { PLAN_IDS } from '../plans/plans';
import type { RegisteredAccount } from '../store/key-register';
import { type Command, Mistake, required } from './command';
import { planOf } from './plan';
import { table } from './table';

export const ACCOUNT_COMMANDS: readonly Command[] = [
  {
    name: 'accounts create',
    synopsis: '--label LABEL --plan PLAN [--email ADDRESS]',
    about: 'open an account for a customer and print its key',
    help: [
      'LABEL is what the key is for.',
      `PLAN is one of ${PLAN_IDS.join(', ')}.`,
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
    help: `ACCOUNT is its id, or the first eight characters or more.\nPLAN is one of ${PLAN_IDS.join(', ')}.`,
    words: 2,
    async run({ stores }, { words }) {
      const name = required(words[0], 'ACCOUNT');
      const plan = planOf(required(words[1], 'PLAN'));
      const account = await stores.keyRegister.account(name);
      if (!account) throw new Mistake(`There is no account ${name}, or more than one.`);
      await stores.keyRegister.setPlan(account.accountId, plan);
      return `the account ${account.accountId} is on the plan ${plan}, before on ${account.plan}`;
    },
  },
];

function listed(accounts: readonly RegisteredAccount[]): string {
  const rows = accounts.map(({ accountId, plan, createdAt, email, keys }) => [
    ...[accountId, plan, createdAt, String(keys)],
    email ?? '-',
  ]);
  return table([['account', 'plan', 'created', 'keys', 'owner'], ...rows]);
}
