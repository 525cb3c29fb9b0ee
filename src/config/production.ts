// What `NODE_ENV=production` refuses: settings that are right on a developer's machine and wrong where prices are sold.

import { DEVELOPMENT_SIGNING_KEY } from './bulk';
import type { Environment, Variables } from './environment';
import { SIMULATED_ODDS_KEY, SIMULATED_TOPAZ_KEY } from './feeds';
import type { Hops } from './transport';

interface Reach {
  readonly reached: Hops;
  /** False: a command of an operator, such as the one that registers for Stripe's events. */
  readonly serves: boolean;
}

/** A sentence for each. Other environments allow all of it. */
export function productionProblems(env: Environment, variables: Variables, { reached, serves }: Reach): string[] {
  const rules: [boolean, string][] = [
    ...serverRules(env, reached),
    [
      serves && env.DATABASE_DIRECT_URL !== undefined && userOf(env.DATABASE_DIRECT_URL) !== userOf(env.DATABASE_URL),
      'DATABASE_DIRECT_URL has another login than DATABASE_URL: a process has one login',
    ],
    [
      env.BASE_URL?.startsWith('https:') !== true,
      'BASE_URL must be the public https address: mails lead there, and cookies are safe on https only',
    ],
    [
      env.STRIPE_API_BASE !== undefined && !env.STRIPE_API_BASE.startsWith('https:'),
      'STRIPE_API_BASE must be https: the key is sent to it',
    ],
    [
      serves && env.STRIPE_SECRET_KEY !== undefined && env.STRIPE_WEBHOOK_SECRET === undefined,
      'STRIPE_WEBHOOK_SECRET is not set: who has paid would wait for the plan (ops billing events prints it)',
    ],
    [
      variables.BULK_FOLDER === undefined && variables.BULK_S3_BUCKET === undefined,
      'BULK_FOLDER or BULK_S3_BUCKET must name a place that workers and API share and that outlives them',
    ],
    [
      env.SECRET_KEYS === undefined,
      'SECRET_KEYS is not set: secrets of webhooks and unsent mails would be readable in every backup',
    ],
    [
      serves && env.BULK_SIGNING_KEYS === undefined,
      'BULK_SIGNING_KEYS is not set: the key that signs manifests of bulk files here is known to everybody',
    ],
    [
      env.BULK_SIGNING_KEYS?.includes(DEVELOPMENT_SIGNING_KEY.split(':')[1]!) === true,
      'BULK_SIGNING_KEYS has the key of development, which everybody knows',
    ],
    [env.CLOCK_SPEED !== 1, 'CLOCK_SPEED must be 1: other speeds are for simulated days'],
    [
      variables.SMTP_URL !== undefined && variables.MAIL_FROM === undefined,
      'MAIL_FROM is not set: mail servers refuse a sender that does not exist',
    ],
    [env.WEBHOOKS_ALLOW_LOOPBACK, 'WEBHOOKS_ALLOW_LOOPBACK must be false: customers could post to this machine'],
    [env.WEBHOOKS_ALLOW_HTTP, 'WEBHOOKS_ALLOW_HTTP must be false: webhooks go by https only'],
    [env.WEBHOOKS_TEST_CA !== undefined, 'WEBHOOKS_TEST_CA must not be set: it is for tests'],
    [variables.FEED_TOPAZ_API_KEY === SIMULATED_TOPAZ_KEY, 'FEED_TOPAZ_API_KEY is the key of the simulator'],
    [variables.FEED_THE_ODDS_API_KEY === SIMULATED_ODDS_KEY, 'FEED_THE_ODDS_API_KEY is the key of the simulator'],
    [
      variables.FEED_THE_ODDS_API_KEY !== undefined && variables.FEED_THE_ODDS_API_URL === undefined,
      'FEED_THE_ODDS_API_URL is not set: the feed of sports is reached nowhere',
    ],
    [
      /^http:/.test(variables.FEED_THE_ODDS_API_URL ?? ''),
      'FEED_THE_ODDS_API_URL must be https: its key is in the address of every call',
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, sentence]) => `${sentence} (NODE_ENV=production)`);
}

/** An address of a socket has no host. */
const userOf = (address: string): string | undefined => URL.parse(address.replace('@/', '@localhost/'))?.username;

function serverRules(env: Environment, { database, direct, replica, redis, temporal }: Hops): [boolean, string][] {
  const inClear = ({ isHere, isEncrypted }: { isHere: boolean; isEncrypted: boolean }): boolean =>
    !isHere && !isEncrypted && env.INSECURE_TRANSPORT !== 'private-network';
  const unless = 'or INSECURE_TRANSPORT must be private-network';
  const hasDirect = env.DATABASE_DIRECT_URL !== undefined;
  const hasReplica = env.DATABASE_READ_URL !== undefined;
  const verified = 'must have sslmode=verify-full for a database on another machine';
  return [
    [!database.isHere && !database.hasCredentials, 'DATABASE_URL has no password for a database on another machine'],
    [
      hasDirect && !direct.isHere && !direct.hasCredentials,
      'DATABASE_DIRECT_URL has no password for a database on another machine',
    ],
    [
      hasReplica && !replica.isHere && !replica.hasCredentials,
      'DATABASE_READ_URL has no password for a database on another machine',
    ],
    [!redis.isHere && !redis.hasCredentials, 'REDIS_URL has no password for a Redis on another machine'],
    [database.hasDefaultPassword, 'DATABASE_URL has a default password, which anybody can guess'],
    [hasDirect && direct.hasDefaultPassword, 'DATABASE_DIRECT_URL has a default password, which anybody can guess'],
    [redis.hasDefaultPassword, 'REDIS_URL has a default password, which anybody can guess'],
    [hasReplica && replica.hasDefaultPassword, 'DATABASE_READ_URL has a default password, which anybody can guess'],
    [inClear(database), `DATABASE_URL ${verified}, ${unless}`],
    [hasDirect && inClear(direct), `DATABASE_DIRECT_URL ${verified}, ${unless}`],
    [hasReplica && inClear(replica), `DATABASE_READ_URL ${verified}, ${unless}`],
    [inClear(redis), `REDIS_URL must be rediss: for a Redis on another machine, ${unless}`],
    [inClear(temporal), `TEMPORAL_TLS must be true for a Temporal on another machine, ${unless}`],
  ];
}
