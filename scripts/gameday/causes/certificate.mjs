// The certificate of the game day's PostgreSQL, from its own authority: the processes connect to the server over TLS
// and verify it, as in production.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../../process/on-path.mjs';
import { run } from '../../process/run.mjs';
import { postgresPrograms } from '../../servers/programs.mjs';
import { withDatabase } from '../database.mjs';

const CONFIGURATION = `[ca]
default_ca = own
[own]
database = index.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
copy_extensions = copy
unique_subject = no
[any]
commonName = supplied
`;
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
const DAY_S = 86_400;

/** The server's certificate is valid for a month from now. Null if there is no openssl. */
export async function giveCertificate(ctx, servers) {
  if (!onPath('openssl')) return null;
  const programs = await postgresPrograms(ctx);
  const place = join(ctx.instance.folder, 'certificates');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'ca.cnf'), CONFIGURATION);
  writeFileSync(join(place, 'index.txt'), '');
  const openssl = (...args) =>
    run('openssl', args, { cwd: place, signal: ctx.signal, log: join(ctx.logs, 'openssl.log') });
  await openssl('req', '-x509', ...KEY, '-days', '60', '-subj', '/CN=game day', '-keyout', 'ca.key', '-out', 'ca.crt');
  const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  await openssl('req', '-new', ...KEY, ...name, '-keyout', 'server.key', '-out', 'server.csr');
  /** Negative: it has expired. */
  const endIn = async (seconds) => {
    const span = ['-startdate', stamp(-365 * DAY_S), '-enddate', stamp(seconds)];
    const signed = ['-batch', '-config', 'ca.cnf', '-cert', 'ca.crt', '-keyfile', 'ca.key', '-notext', ...span];
    await openssl('ca', ...signed, '-in', 'server.csr', '-out', 'server.crt');
    for (const file of ['server.crt', 'server.key']) install(programs, join(place, file), file);
    await withDatabase(servers, async ({ query }) => {
      for (const [setting, file] of SETTINGS)
        await query(`ALTER SYSTEM SET ${setting} = '${join(programs.inside, file)}'`);
      await query(`ALTER SYSTEM SET ssl = 'on'`);
      await query('SELECT pg_reload_conf()');
    });
  };
  await endIn(30 * DAY_S);
  return {
    endIn,
    renew: () => endIn(30 * DAY_S),
    /** Processes reconnect, as they otherwise do every few hours. */
    cutConnections: () =>
      withDatabase(servers, ({ query }) => query('SELECT pg_terminate_backend(pid) FROM pg_stat_ssl WHERE ssl')),
    /** For the address of a database. */
    checked(address) {
      const url = new URL(address);
      url.searchParams.set('sslmode', 'verify-full');
      url.searchParams.set('sslrootcert', join(place, 'ca.crt'));
      return url.toString();
    },
  };
}

const SETTINGS = [
  ['ssl_cert_file', 'server.crt'],
  ['ssl_key_file', 'server.key'],
];

function install({ data, give }, from, file) {
  const to = join(data, file);
  writeFileSync(to, readFileSync(from), { mode: 0o600 });
  give(to);
}

/** `20261129123000Z`, this many seconds from now. */
const stamp = (seconds) => new Date(Date.now() + seconds * 1000).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
