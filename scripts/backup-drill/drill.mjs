// The drill: a database is written, backed up and archived; a mistake is planted; the machine is lost; the restore to
// the second before the mistake is compared row by row with the state at that second; and pollers continue from it. Any
// difference is a failure.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../command/problem.mjs';
import { outputOf, run } from '../process/run.mjs';
import { createLogins } from '../servers/logins.mjs';
import { serve } from './api.mjs';
import { lose, openCluster, pgbackrest, start, urlOf } from './cluster.mjs';
import { secondBefore } from './commands.mjs';
import { countOf, differences, readFingerprint, rowsIn } from './fingerprint.mjs';

/** Days of captured ticks before today, one chunk each. */
const PAST_DAYS = 8;
const MISTAKEN_DAY = 3;
const OPS = ['--import', 'tsx', 'src/ops/main.ts'];
const WRITER = ['--import', 'tsx', 'test/support/races/backup-drill.ts'];

/** Resolves to the steps, each with its figures. Throws a `Problem` if anything differs from before. */
export async function drill(ctx, onEnd) {
  const cluster = await openCluster(ctx, onEnd);
  const steps = [];
  const step = async (title, work) => {
    const beganAt = performance.now();
    const size = await ctx.progress.step(title, work);
    steps.push({ step: title, ms: performance.now() - beganAt, ...size });
    return size;
  };
  const before = await untilMistake(cluster, step);
  const target = await mistake(cluster, step, before);
  await step('The machine is lost, with its data', () => lose(cluster));
  await step(`Restore to ${target}`, () => restore(cluster, target));
  await step('Start, with the log replayed up to that second', () => startRestored(cluster));
  await step('Every row, chunk, right and login is as it was', () => compare(cluster, before.state));
  await step('The comparison notices one lost row', () => plantLoss(cluster, before.state));
  await step('The newest schema is there: nothing to migrate', () => requireMigrated(cluster));
  await step('Workers go on under newer epochs, with their login', () => carryOn(cluster, before.logins));
  await step('An API process serves from it, with its login', () => serve(cluster.ctx, before.logins.api));
  await step('The archive goes on: check, and the next backup', async () => {
    await pgbackrest(cluster, 'check');
    return backUp(cluster, 'diff');
  });
  return steps;
}

async function untilMistake(cluster, step) {
  const url = urlOf(cluster);
  let logins;
  await step('A database with the schema, roles and logins', async () => {
    await start(cluster);
    await ops(cluster, 'migrate', 'roles', '--and', 'migrate', '--and', 'roles');
    logins = await createLogins(url);
  });
  await step('Races and ticks, by the functions of a worker', async () => ({
    rows: (await write(cluster, logins, 'write')).ticks,
  }));
  await step('The stanza is created and checked', async () => {
    await pgbackrest(cluster, 'create');
    await pgbackrest(cluster, 'check');
  });
  await step('Full backup', () => backUp(cluster, 'full'));
  await step(`${PAST_DAYS} more days of ticks`, () => addPastDays(url));
  await step('Differential backup', () => backUp(cluster, 'diff'));
  await step('Pollers go on: in the log alone', async () => ({
    rows: (await write(cluster, logins, 'more', '2')).ticks,
  }));
  let state;
  await step('What is there is noted', async () => {
    state = await withDatabase(url, readFingerprint);
    return { rows: rowsIn(state) };
  });
  return { state, logins };
}

/** Returns the second to which to restore. */
async function mistake(cluster, step, { state, logins }) {
  const url = urlOf(cluster);
  let atMs;
  // The recorded state is older than the whole second before the mistake.
  await sleep(1_100, undefined, { signal: cluster.ctx.signal });
  await step('The mistake: DELETE of a day of ticks', async () => {
    const { rows } = await withDatabase(url, (db) => db.query(MISTAKE));
    if (rows[0].rows === 0) throw new Problem('The mistake deleted nothing: the drill proves nothing.');
    atMs = rows[0].at_ms;
    return { rows: rows[0].rows };
  });
  await step('It is written on, and the log is archived', async () => {
    const { ticks } = await write(cluster, logins, 'more', '3');
    await archiveAll(cluster);
    if (differences(state, await withDatabase(url, readFingerprint)).length === 0)
      throw new Problem('What was written on is not in the database: the drill proves nothing.');
    return { rows: ticks };
  });
  return secondBefore(atMs);
}

const MISTAKE = `
  WITH at AS MATERIALIZED (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms),
       gone AS (DELETE FROM price_ticks WHERE captured_at::date = (now() - interval '${MISTAKEN_DAY} days')::date RETURNING 1)
  SELECT at.ms AS at_ms, (SELECT count(*)::int FROM gone) AS rows FROM at`;

const addPastDays = (url) =>
  withDatabase(url, async (db) => {
    const columns =
      'race_id, bookmaker_key, runner_number, runner_key, secs_to_jump, win_price, place_price, top2_price, top3_price, top4_price';
    const { rowCount } = await db.query(
      `INSERT INTO price_ticks (captured_at, ${columns}) SELECT captured_at - day * interval '1 day', ${columns}
         FROM price_ticks, generate_series(1, ${PAST_DAYS}) AS day`,
    );
    return { rows: rowCount };
  });

/** The log up to now is in the repository; later log may be lost. */
async function archiveAll(cluster) {
  const { signal } = cluster.ctx;
  await withDatabase(urlOf(cluster), async (db) => {
    const { rows } = await db.query('SELECT pg_walfile_name(pg_switch_wal()) AS name');
    const archived = async () => {
      const found = await db.query('SELECT last_archived_wal >= $1 AS done FROM pg_stat_archiver', [rows[0].name]);
      return found.rows[0].done === true;
    };
    while (!(await archived())) await sleep(100, undefined, { signal });
  });
}

async function backUp(cluster, kind) {
  const beganAt = performance.now();
  await pgbackrest(cluster, kind);
  const ms = performance.now() - beganAt;
  const info = JSON.parse(await pgbackrest(cluster, 'info'));
  const { label, info: sizes } = info[0].backup.at(-1);
  const file = join(cluster.ctx.logs, 'pgbackrest-info.log');
  const line = await ops(cluster, 'backup-done', 'backup-done', '--info', file);
  if (!line.includes(` ${label} `)) throw new Problem(`ops backup-done did not record ${label}: ${line}`);
  return { ms, bytes: sizes.repository.delta, of: sizes.size };
}

async function restore(cluster, target) {
  await pgbackrest(cluster, 'restore', target);
  const bytes = await outputOf('du', ['-sb', join(cluster.programs.data, 'postgres')]);
  return { bytes: Number.parseInt(bytes, 10) };
}

/** Connections are accepted before the end of the log is reached. */
async function startRestored(cluster) {
  await start(cluster);
  const { signal } = cluster.ctx;
  const isOpen = (db) => db.query('SELECT NOT pg_is_in_recovery() AS open');
  while (!(await withDatabase(urlOf(cluster), isOpen)).rows[0].open) await sleep(100, undefined, { signal });
}

async function compare(cluster, expected) {
  const found = await withDatabase(urlOf(cluster), readFingerprint);
  const differing = differences(expected, found);
  if (differing.length > 0) throw new Problem(`The restored database is another: ${differing.slice(0, 5).join('; ')}.`);
  const kinds = {
    table: 'tables',
    chunk: 'chunks',
    job: 'jobs',
    index: 'indexes',
    function: 'functions',
    right: 'rights',
    login: 'logins',
  };
  const counts = Object.entries(kinds).map(([kind, name]) => `${countOf(found, kind)} ${name}`);
  cluster.ctx.progress.note(`compared: ${counts.join(', ')}`);
  return { rows: rowsIn(found) };
}

const ONE_TICK = `
  DELETE FROM price_ticks WHERE (race_id, bookmaker_key, runner_number, captured_at) =
    (SELECT race_id, bookmaker_key, runner_number, captured_at FROM price_ticks LIMIT 1)`;

/**
 * Proves that the comparison works: one tick is deleted, and the comparison must then name its table and nothing else.
 */
async function plantLoss(cluster, expected) {
  const found = await withDatabase(urlOf(cluster), async (db) => {
    await db.query('BEGIN');
    await db.query(ONE_TICK);
    const planted = await readFingerprint(db);
    await db.query('ROLLBACK');
    return planted;
  });
  const lines = differences(expected, found);
  const rows = expected['table public.price_ticks'].rows;
  if (lines.length !== 1 || lines[0] !== `table public.price_ticks has ${rows - 1} rows, expected ${rows}`)
    throw new Problem(`One row is deleted, and the comparison finds: ${lines.join('; ') || 'nothing'}.`);
}

async function requireMigrated(cluster) {
  const line = await ops(cluster, 'migrate-restored', 'migrate');
  if (!line.endsWith('applied: nothing')) throw new Problem(`The restored database lacks migrations: ${line}`);
}

/** The workflows are at the third epoch, and the restored database at the second. */
async function carryOn(cluster, logins) {
  const { rows } = await withDatabase(logins.api, (db) =>
    db.query(`SELECT count(*)::int AS races, has_table_privilege('price_ticks', 'DELETE') AS deletes FROM races`),
  );
  const [{ races, deletes }] = rows;
  const done = await write(cluster, logins, 'more', '3');
  if (deletes || done.claimed !== races || done.written !== races || done.refused !== races)
    throw new Problem(
      `Of ${races} races ${done.claimed} were claimed and ${done.written} polled again; ${done.refused} older holders were refused.`,
    );
  return { rows: done.ticks };
}

/** Returns the last line that the command prints. */
function ops(cluster, name, ...args) {
  const env = { ...process.env, DATABASE_URL: urlOf(cluster), DATABASE_DIRECT_URL: '', LOG_LEVEL: 'silent' };
  return lastLine(cluster.ctx, `ops-${name}`, [...OPS, ...args], env);
}

const write = async ({ ctx }, logins, ...mode) =>
  JSON.parse(
    await lastLine(ctx, `write-${mode.join('-')}`, [...WRITER, ...mode], {
      ...process.env,
      DATABASE_URL: logins.worker,
      DATABASE_DIRECT_URL: '',
    }),
  );

async function lastLine({ root, logs, signal }, name, args, env) {
  const log = join(logs, `${name}.log`);
  await run(process.execPath, args, { cwd: root, env, signal, log, what: name });
  return readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '';
}

async function withDatabase(connectionString, work) {
  const { default: pg } = await import('pg');
  const db = new pg.Client({ connectionString });
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}
