// The contents of a database, so that two states can be compared: rows and a checksum of every table, chunks, jobs,
// logins and rights. It only reads.

const TABLES = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname !~ '^(pg_|information_schema$|_timescaledb_|timescaledb_)'
   ORDER BY 1`;

/** Each kind returns rows with a name and the compared state. */
const OTHERS = {
  chunk: `SELECT format('%I.%I', chunk_schema, chunk_name) AS name,
                 format('%s %s %s %s', hypertable_name, range_start, range_end, is_compressed) AS state FROM timescaledb_information.chunks`,
  job: `SELECT job_id::text AS name, format('%s %s %s %s', proc_name, schedule_interval, hypertable_name, config) AS state
          FROM timescaledb_information.jobs`,
  login: `SELECT rolname::text AS name, md5(concat(rolsuper, rolcanlogin, rolpassword, (SELECT setconfig::text FROM pg_db_role_setting s
                 WHERE s.setrole = a.oid AND s.setdatabase = 0), (SELECT string_agg(roleid::regrole::text, ',' ORDER BY 1)
                 FROM pg_auth_members m WHERE m.member = a.oid))) AS state FROM pg_authid a`,
  right: `SELECT format('%s %s', relkind, oid::regclass) AS name, md5(relacl::text) AS state FROM pg_class
           WHERE relacl IS NOT NULL AND relnamespace::regnamespace::text !~ '^(pg_|information_schema$|_timescaledb_)'`,
  index: `SELECT indexrelid::regclass::text AS name, concat(indisvalid, indisready, pg_get_indexdef(indexrelid)) AS state FROM pg_index
           WHERE indrelid::regclass::text !~ '^(pg_|information_schema)'`,
  function: `SELECT oid::regprocedure::text AS name, md5(concat(prosrc, proacl)) AS state FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
};

/**
 * `db`: a client of pg that may read everything. Nothing may write in the meantime. By name: `table public.races` has
 * `{ rows, state }`, everything else `{ state }`.
 */
export async function readFingerprint(db) {
  const found = {};
  for (const { name } of (await db.query(TABLES)).rows) found[`table ${name}`] = await tableState(db, name);
  for (const [kind, query] of Object.entries(OTHERS))
    for (const { name, state } of (await db.query(query)).rows) found[`${kind} ${name}`] = { state };
  return found;
}

/**
 * A sum, so that the order of rows, which a restore need not keep, does not matter; and a count, so that two rows
 * cannot cancel each other out.
 */
async function tableState(db, name) {
  const { rows } = await db.query(
    `SELECT count(*)::int AS rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text AS state FROM ${name} t`,
  );
  return rows[0];
}

/** A sentence for each difference; none if both are equal. */
export function differences(expected, found) {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
  return names.map((name) => difference(name, expected[name], found[name])).filter(Boolean);
}

function difference(name, expected, found) {
  if (!found) return `${name} is missing`;
  if (!expected) return `${name} is new`;
  if (expected.rows !== found.rows) return `${name} has ${found.rows} rows, expected ${expected.rows}`;
  return expected.state === found.state ? null : `${name} has other ${'rows' in expected ? 'rows' : 'properties'}`;
}

const ofKind = (found, kind) => Object.entries(found).filter(([name]) => name.startsWith(`${kind} `));

export const countOf = (found, kind) => ofKind(found, kind).length;
export const rowsIn = (found) => ofKind(found, 'table').reduce((sum, [, { rows }]) => sum + rows, 0);
