// The operator's commands. Each does one thing, prints what it did, and can be run again.

import { USUAL_PATIENCE } from '../store/pg/lock-patience';
import { migrate, readMigrations } from '../store/pg/migrate';
import { createRoles, grantRights, grantRightsIn } from '../store/pg/roles';
import { giveLoginSettings } from '../store/pg/sessions/login-settings';
import { ACCOUNT_COMMANDS } from './accounts';
import { BACKUP_COMMANDS } from './backups/commands';
import { BILLING_COMMANDS } from './billing/commands';
import { CREDIT_COMMANDS } from './billing/credits';
import { BUILD_COMMANDS } from './builds/commands';
import { type Command, kept, raceId, required } from './command';
import { doctor } from './doctor/doctor';
import { firstHour } from './first-hour';
import { KEY_COMMANDS } from './keys';
import { pastDays } from './past-days/past-days';
import { collect } from './races/collect';
import { fillField } from './races/fill-field';
import { override } from './races/override';
import { resync } from './races/resync';
import { SECRET_COMMANDS } from './secrets';
import { seedKeys } from './seed';
import { SPORT_NAME_COMMANDS } from './sports/aliases';
import { SPORT_COMMANDS } from './sports/commands';

export const COMMANDS: readonly Command[] = [
  {
    name: 'migrate',
    synopsis: '',
    about: 'bring the database to the newest schema',
    help: 'Runs beside the processes of the release before: it waits for a lock for a second at most, again and again for ten minutes, and logs who has it.',
    async run({ pool, log }) {
      const waits = (reason: string) => log.warn(`migrate waits: ${reason}`);
      const { applied, adopted, edition } = await migrate(pool, readMigrations(), grantRightsIn, {
        ...USUAL_PATIENCE,
        waits,
      });
      const adoption = adopted ? ', adopted: the files of the baseline are recorded' : '';
      const line = `schema is current (${edition} edition)${adoption}, applied: ${applied.join(', ') || 'nothing'}`;
      return applied.length === 0 && !adopted ? kept(line) : line;
    },
  },
  {
    name: 'roles',
    synopsis: '',
    about:
      'create the groups racing_worker and racing_api, grant their rights, and give their logins the settings of sessions',
    help: 'The groups belong to the whole server; your logins join them: CREATE ROLE name LOGIN PASSWORD … IN ROLE racing_api. Behind a pooler run it with the settings of the processes, and once more after a login is created.',
    async run({ pool, config }) {
      const created = await createRoles(pool);
      const granted = await grantRights(pool);
      const { given, kept: own } = await giveLoginSettings(pool, {
        clock: config.clock,
        timeouts: config.databaseTimeouts,
      });
      const rights = granted ? 'their rights in this database are current' : 'migrate will grant their rights';
      const logins = given.length === 0 ? '' : `; settings of sessions given to ${given.join(', ')}`;
      const others =
        own.length === 0 ? '' : `; ${own.join(', ')}: ALTER ROLE … IN DATABASE … RESET, then ops roles, changes it`;
      const line = `groups created: ${created.join(', ') || 'none, both exist'}; ${rights}${logins}${others}`;
      return created.length + given.length === 0 ? kept(line) : line;
    },
  },
  {
    name: 'doctor',
    synopsis: '',
    about: 'check the settings of a process and the servers behind them, a sentence each',
    help: 'Run it with the settings of the process that you ask about. `fails` is wrong, `note` is what cannot be known from here.',
    run: doctor,
  },
  {
    name: 'seed',
    synopsis: '--keys-file FILE',
    about: 'create the keys of a fresh installation',
    help: 'The keys go to FILE, which only its owner may read, and are not printed. Keys in it that still work are kept.',
    async run({ stores, wallMs }, { options }) {
      const file = required(options['keys-file'], '--keys-file');
      const minted = await seedKeys(stores, file, new Date(wallMs()).toISOString());
      const line = `keys minted: ${minted.join(', ') || 'none, all of them work'}`;
      return minted.length === 0 ? kept(line) : line;
    },
  },
  {
    name: 'first-hour',
    synopsis: '',
    about: 'give the next races of the simulated day the prices of the last hour',
    help: 'A race that a worker polls gets its hour in one go; until then it has none of it.',
    run: firstHour,
  },
  {
    name: 'past-days',
    synopsis: '[--days N]',
    about: 'give the simulated service archived days before today',
    help: 'N is 1 to 3, 3 by default. Races that the service has followed are left alone. Each day is there whole or not at all, also beside a worker.',
    run: (wiring, { options }) => pastDays(wiring, options.days),
  },
  ...ACCOUNT_COMMANDS,
  ...KEY_COMMANDS,
  ...BILLING_COMMANDS,
  ...CREDIT_COMMANDS,
  ...SECRET_COMMANDS,
  ...BACKUP_COMMANDS,
  ...BUILD_COMMANDS,
  ...SPORT_COMMANDS,
  ...SPORT_NAME_COMMANDS,
  {
    name: 'override',
    synopsis: '--race RACE_ID --order 4,2=7,1 [--note WHY]',
    about: 'give a run race its placings, also long after its result was final',
    help: '`=` is a dead heat: 4,2=7,1 has 2 and 7 in a dead heat for second. The placings become final after 30 minutes.',
    run: (wiring, given) =>
      override(wiring, raceId(given), required(given.options.order, '--order'), given.options.note ?? null),
  },
  {
    name: 'fill-field',
    synopsis: '--race RACE_ID --file FILE',
    about: 'write a race’s full field by hand',
    help: 'FILE is a JSON array of runners as `results` serves them. It is checked as a whole before anything is written.',
    run: (wiring, given) => fillField(wiring, raceId(given), required(given.options.file, '--file')),
  },
  {
    name: 'collect',
    synopsis: 'RACE_ID|YYYY-MM-DD',
    about: 'read the registries’ results of a race or a Sydney day now',
    words: 1,
    run: (wiring, { words }) => collect(wiring, required(words[0], 'RACE_ID or YYYY-MM-DD')),
  },
  {
    name: 'resync',
    synopsis: '',
    about: 'after a restored backup: have every running race store its whole state again',
    help: 'Races that had ended and that the backup has as unfinished are started again by the next sweep.',
    run: resync,
  },
];
