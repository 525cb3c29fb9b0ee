// Credits of accounts: granted beyond the allowance, and audited against the ledger.
import { closeCreditDays } from '../../activities/close-credit-days';
import { periodAt } from '../../plans/credits';
import { type Command, Mistake, required } from '../command';

const MOST = 1_000_000_000;

export const CREDIT_COMMANDS: readonly Command[] = [
  {
    name: 'credits audit',
    synopsis: '',
    about: 'recompute every balance from the ledger and report the differences',
    async run({ stores }) {
      const faults = await stores.credits.audit();
      if (faults.length > 0) throw new Error(`${faults.length} differences:\n${faults.join('\n')}`);
      return 'every balance is what the ledger adds up to';
    },
  },
  {
    name: 'credits close',
    synopsis: '',
    about: 'turn the months of the ledger that are older than 13 months into their sums',
    help: 'Workers do it every month by the schedule close-credits. The sums are by account, key, operation and month, and credits audit goes on checking them. Refuses while the audit finds a fault.',
    async run({ stores, wallMs, log }) {
      const faults = await stores.credits.audit();
      if (faults.length > 0) throw new Error(`nothing was closed: credits audit finds ${faults.length} differences`);
      await closeCreditDays({ stores, wallMs, log });
      return `${await stores.credits.close()} lines of months older than 13 months are now sums`;
    },
  },
  {
    name: 'credits grant',
    synopsis: 'ACCOUNT CREDITS --reason REASON',
    about: 'give an account credits that are used after its allowance and do not expire',
    help: 'ACCOUNT is the account of keys list, or its first eight characters or more. Running it again grants again.',
    words: 2,
    async run({ stores, wallMs }, { words, options }) {
      const name = required(words[0], 'ACCOUNT');
      const credits = Number(required(words[1], 'CREDITS'));
      if (!Number.isInteger(credits) || credits < 1 || credits > MOST)
        throw new Mistake(`CREDITS: a whole number from 1 to ${MOST}.`);
      const account = await stores.keyRegister.account(name);
      if (!account) throw new Mistake(`There is no account ${name}, or more than one.`);
      const { accountId } = account;
      const reason = required(options.reason, '--reason');
      const nowMs = wallMs();
      const grant = { accountId, credits, reason, period: periodAt(nowMs).id, at: new Date(nowMs).toISOString() };
      return `the account ${accountId} has ${await stores.credits.grant(grant)} granted credits left`;
    },
  },
];
