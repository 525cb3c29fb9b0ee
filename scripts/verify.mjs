// `npm run verify`: follows a running `npm start` of this checkout as customers do, with a webhook, a stream, `changes`
// and the board's page, and then compares what it received with the simulated world's own story and with the database,
// row by row. It changes only its own webhook. Exit code 1: something differs.
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { Problem } from './command/problem.mjs';
import { runSession } from './command/session.mjs';
import { openInstance } from './instance/instance.mjs';
import { readStatus } from './instance/status.mjs';
import { verifySports } from './verify/sports/verify-sports.mjs';
import { verify } from './verify/verify.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const help = `npm run verify -- [options]

  --minutes N   how long it follows (default 10)
  --sports      follows nothing: recomputes matches and announced arbs from what the simulator sent of sports
  --help        this text

It needs a service that \`npm start\` of this checkout runs, and prints what differs. Exit codes: 0 nothing differs · 1 something differs.`;

await runSession(async ({ signal, onEnd }) => {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '10' }, sports: flag, help: flag },
  });
  if (values.help) return console.log(help);
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  const status = await readStatus(openInstance(root, 'start'));
  if (!status.api_url) throw new Problem('Nothing is running: npm start starts it.');
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Problem(`--minutes is "${values.minutes}": give a number above 0.`);
  const follow = () => verify({ status, guide: join(root, 'docs/stream.md'), forMs: minutes * 60_000, signal, onEnd });
  const found = await (values.sports ? recompute(status, onEnd) : follow());
  for (const line of found.lines) console.log(line);
  return found.differs ? 1 : 0;
});

async function recompute({ simulator_url: simulatorUrl, database_url: databaseUrl }, onEnd) {
  const { default: pg } = await import('pg');
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  onEnd(() => db.end());
  const now = async () => {
    const health = /** @type {any} */ (await (await fetch(`${simulatorUrl}/healthz`)).json());
    return Date.parse(health.now);
  };
  const twins = async () => {
    const command = [join(root, 'scripts/stack.mjs'), 'ops', 'sports', 'twins'];
    return (await promisify(execFile)(process.execPath, command, { cwd: root, maxBuffer: 64 * 1024 * 1024 })).stdout;
  };
  return verifySports({
    simulatorUrl,
    twins,
    rows: async (text, values = []) => (await db.query(text, values)).rows,
    now,
  });
}
