// Names known to customers, operators, other versions of a process and stored rows: API, settings, metrics, Redis and
// the database.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { openApiDocument } from '../../src/api/openapi/document';
import { ENDPOINTS } from '../../src/api/operations';
import { DATASETS } from '../../src/bulk/catalogue';
import { BOOKMAKERS } from '../../src/domain/bookmakers';
import { REAL_TIME } from '../../src/domain/time/clock';
import { PROBLEMS } from '../../src/errors';
import { PLANS } from '../../src/plans/plans';
import { createAddressBudget } from '../../src/store/redis/address-budget';
import { createNoticeSender } from '../../src/store/redis/board-notices';
import { createKeyLimit } from '../../src/store/redis/key-limit';
import { createRateBudget } from '../../src/store/redis/rate-budget';
import { createRegistryTurns } from '../../src/store/redis/registry-turns';
import { createSharedAnswers } from '../../src/store/redis/shared-answers';
import { createStreamLeases } from '../../src/store/redis/stream-leases';
import { mergedDividends } from '../../src/store/results/merge';
import { expectListed } from './listed';
import { exportedAs, linesOf, Shapes } from './shapes';
import { callsOf, everywhere, memberOf, type Node, patternOf, textOf, within } from './source';

test('operations, components and problem codes', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a JSON document, read freely.
  const { components } = openApiDocument(ENDPOINTS, 'https://api.racing.test') as any;
  const lines = [
    ...ENDPOINTS.map(({ method, path, operationId }) => `operation ${operationId}: ${method} ${path}`),
    ...Object.entries<object>(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `component ${kind} ${name}`),
    ),
    ...Object.entries(PROBLEMS).map(([code, { status }]) => `problem ${code}: ${status}`),
  ];
  expectListed('api.txt', lines, 'Clients are generated from these names and branch on them: add, never rename.');
});

// A 9.2: readers of CSV count columns.
test('columns of flat tables, by their positions', () => {
  const lines = DATASETS.flatMap(({ name: table, columns }) =>
    columns.map(({ name, type, nullable }, i) => `${table} ${i + 1} ${name}: ${type}${nullable ? ' or null' : ''}`),
  );
  expectListed(
    'columns.txt',
    lines,
    'Customers read columns by their places: append the last, and never move or rename.',
  );
});

test('settings', () => {
  const table = everywhere((node) =>
    node.type === 'ObjectExpression' && memberOf(node, 'DATABASE_URL') ? node : undefined,
  );
  expect(table).toHaveLength(1);
  const ofBooks = everywhere((node) => {
    const text = node.type === 'TemplateLiteral' ? patternOf(node)! : '';
    return /^[A-Z]+_<…>/.test(text) ? text : undefined;
  });
  const ownToBooks = everywhere((node) => {
    const object = node.object?.base ?? node.object;
    if (node.type !== 'MemberExpression' || (object.property ?? object).value !== 'settings') return undefined;
    const { expression, value } = node.property;
    return `FEED_<…>_${(expression ? patternOf(expression)! : value).toUpperCase()}`;
  });
  const lines = [...table[0].properties.map(({ key }: Node) => key.value), ...ofBooks, ...ownToBooks];
  expectListed(
    'settings.txt',
    lines,
    'Deployments set these variables: read an old name for as long as one may be set.',
  );
});

const INSTRUMENTS = ['Counter', 'UpDownCounter', 'Histogram', 'Gauge'];

/** `{ book }`, `{ 'http.route': route }` */
function labelIn(node: Node): string | undefined {
  if (node.type === 'KeyValueProperty') return `label ${node.key.value}`;
  const short = node.properties?.filter(({ type }: Node) => type === 'Identifier') ?? [];
  return short.length > 0 ? short.map(({ value }: Node) => `label ${value}`).join(', ') : undefined;
}

test('metrics', () => {
  const made = callsOf(...INSTRUMENTS.flatMap((kind) => [`create${kind}`, `createObservable${kind}`]));
  const lines = [
    ...made.map(({ args: [name, options] }) => {
      const unit = memberOf(options, 'unit');
      return `${textOf(name, 'a metric')}${unit ? ` in ${textOf(unit, 'a unit')}` : ''}`;
    }),
    ...callsOf('getMeter').map(({ args }) => `meter ${textOf(args[0], 'a meter')}`),
    ...callsOf('record', 'add', 'observe').flatMap(({ args }) => within(args[1], labelIn)),
  ];
  expectListed('metrics.txt', lines, "Operators' dashboards and alerts read these names: add, never rename.");
});

/** A connection that answers everything with zeros and records the keys with which it is called. */
function listeningRedis() {
  const seen: string[] = [];
  const redis = new Proxy({ status: 'ready' } as Record<string, unknown>, {
    get: (target, name: string) => {
      if (name in target) return target[name];
      if (name !== 'defineCommand')
        return async (key: string, second: unknown) => {
          seen.push(...[key, second].filter((one) => typeof one === 'string').map((one) => `key ${one}`));
          return [0, 0, 0];
        };
      return (_: string, { lua, numberOfKeys }: { lua: string; numberOfKeys: number }) =>
        seen.push(
          ...[...lua.matchAll(/'([a-z]+)'/g)].map(([, member]) => `in a script of ${numberOfKeys} keys: ${member}`),
        );
    },
  });
  return { redis: redis as unknown as Redis, seen };
}

test('Redis keys and their values', async () => {
  const { redis, seen } = listeningRedis();
  const budget = createRateBudget(redis);
  await budget.lease('tab', { perSecond: 1, burst: 1 }, 0, 1);
  await budget.pause('tab', 1000);
  await createAddressBudget(redis, 'deployment').take('192.0.2.1', 60);
  await createKeyLimit(redis, 'deployment').take('key', 60);
  const stream = { accountId: 'account', keyId: 'key', connection: 'connection' };
  await createStreamLeases(redis, 'deployment').take(stream, 1);
  await createStreamLeases(redis, 'deployment').take({ ...stream, connection: 'later' }, 1, { replaces: 'connection' });
  createNoticeSender(redis, { databaseDirectUrl: 'postgres://host/database', clock: REAL_TIME }).written('race');
  await new Promise(setImmediate);
  const turns = createRegistryTurns(redis);
  await turns.take('topaz', 'token', 1, 1000);
  await turns.leave('topaz', 'token');
  await createSharedAnswers(redis, 'deployment')
    .get('question', 1000, 0, async () => null)
    .catch(() => null);
  expectListed(
    'redis.txt',
    seen,
    'Processes of two versions share these: under another name each would count, or compute, for itself.',
  );
});

const MIGRATIONS = join(__dirname, '../../migrations');
const numbered = readdirSync(MIGRATIONS).filter((name) => /^\d{4}_.+[.]sql$/.test(name));
const sqlOf = (name: string): string => readFileSync(join(MIGRATIONS, name), 'utf8');

test('migrations that have been applied somewhere', () => {
  const lines = numbered.map((name) => `${name} ${createHash('sha256').update(sqlOf(name)).digest('hex')}`);
  expectListed(
    'migrations.txt',
    lines,
    'A database refuses a migration that was edited: add a new one, and its line here.',
  );
});

/** Every kind of dividend once, because no declared type determines the column. */
const DIVIDENDS = mergedDividends(
  [
    {
      bookmakerKey: 'tab',
      result: {
        stage: 'final',
        note: null,
        protest: false,
        placings: [{ position: 1, number: 5, name: 'Five' }],
        straight: [{ market: 'WIN', product: 'NSW', number: 5, amount: 2.4 }],
        exotics: [{ code: 'QN', product: 'NSW', selection: '1,5', amount: 9 }],
        multiRace: [
          { code: 'D2', type: 'Double', product: 'NSW', legs: [{ raceNumber: 1 }], selection: '5/1', amount: 30 },
        ],
      },
    },
  ],
  [],
  new Map(),
);

function membersOf(path: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => membersOf(`${path}[]`, one));
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => membersOf(`${path}.${name}`, inner));
}

/** Why a connector left a row out: `race_unreadable`, or one of several reasons in a condition. */
function reasonIn(node: Node): string | undefined {
  const text = patternOf(node);
  return text && /^\S+_[a-z\d]+$/.test(text) ? `connector_counts.reason: ${text}` : undefined;
}

test('values in stored rows', () => {
  const shapes = new Shapes();
  const of = (what: string, type: string) => linesOf(what, shapes.body(exportedAs(type)));
  const checks = numbered.flatMap((name) =>
    [
      ...sqlOf(name).matchAll(
        /(?: text (?:NOT NULL )?(?:DEFAULT '\w+' )?|ADD CONSTRAINT \w+ )CHECK \((\w+) IN \(([^)]*)\)/g,
      ),
    ].map(([, column, values]) => `${name.slice(0, 4)} ${column}: ${values}`),
  );
  const lines = [
    ...checks,
    ...of('races.phase', 'RacePhase'),
    ...of('race_book_cards.card', 'BookCard'),
    ...of('race_book_results.result', 'FeedResult'),
    ...of('race_results', 'StoredResultRow').filter((line) =>
      /^race_results[.](placings|runners|deductions)\b/.test(line),
    ),
    ...membersOf('race_results.dividends', DIVIDENDS),
    ...of('published_races.runners', 'ResultRunner'),
    ...of('published_races.refused', 'FieldObjection'),
    ...of('registry_changes.race', 'RegistryRace'),
    ...of('registry_changes.runner', 'RegistryRunner'),
    ...of('connector_health.status', 'FeedFailure'),
    ...callsOf('add').flatMap(({ args: [reason] }) => within(reason, reasonIn)),
    ...everywhere(({ type, value }) =>
      type === 'StringLiteral' && (value === 'lifecycle' || value === 'operator')
        ? `race_results.source: ${value}`
        : undefined,
    ),
    ...BOOKMAKERS.map(({ key }) => `bookmaker_key: ${key}`),
    ...PLANS.map(({ id }) => `api_keys.plan: ${id}`),
  ];
  expectListed(
    'stored.txt',
    lines,
    'Rows and JSON columns of years have these values, and the release before reads what this one writes: add, never rename.',
  );
});
