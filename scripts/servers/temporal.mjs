// Our own Temporal development server with its UI, and the preparation of a namespace on whichever server is used:
// search attributes always (the server ignores those on its command line once its file exists), retention only on our
// own.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { outcomeOf } from '../command/outcome.mjs';
import { ensureTemporalCli, serverOf } from '../install/temporal-cli.mjs';
import { launch } from '../process/launch.mjs';
import { tailOf } from '../process/log-reason.mjs';
import { run } from '../process/run.mjs';
import { acceptsTcp, answersHttp, waitUntil } from '../process/wait-until.mjs';
import { removeTemporalFile, setAsideOfOther, temporalFile } from './temporal-file.mjs';

export async function startTemporal(ctx) {
  const cli = await ensureTemporalCli(ctx.root, ctx);
  const aside = ctx.durable ? setAsideOfOther(ctx.instance.folder, await serverOf(cli)) : null;
  if (aside) ctx.progress.note(aside);
  const ui = `http://127.0.0.1:${ctx.ports.ui}`;
  const bringUp = async () => {
    const env = { ...process.env, ...threadsOfGo() };
    const start = () => launch(ctx, { name: 'temporal', command: cli, args: invocation(ctx), env });
    const running = start();
    await waitUntil(() => acceptsTcp(ctx.ports.temporal), { process: running, signal: ctx.signal });
    ctx.watched?.push({ running, start, answers: () => servesNamespace(ui) });
  };
  await ctx.progress.step('Temporal is up', bringUp);
  return { address: `127.0.0.1:${ctx.ports.temporal}`, ui, cli };
}

/**
 * Checked through its UI, which queries the server itself. After a long standstill the server may still run but have
 * lost its namespaces.
 */
const servesNamespace = (ui) =>
  answersHttp(`${ui}/api/v1/namespaces/${encodeURIComponent(process.env.TEMPORAL_NAMESPACE || 'default')}`, 10_000);

function invocation({ ports, durable, instance }) {
  const pragmas = ['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'];
  const kept = ['--db-filename', temporalFile(instance.folder), ...pragmas];
  const address = ['--ip', '127.0.0.1', '--port', String(ports.temporal), '--ui-port', String(ports.ui)];
  const metrics = ports.temporalMetrics ? ['--metrics-port', String(ports.temporalMetrics)] : [];
  return [
    'server',
    'start-dev',
    ...address,
    ...metrics,
    ...PRIORITIES,
    '--log-level',
    'warn',
    ...(durable ? kept : []),
  ];
}

/**
 * On one or two cores Go's code runs on one at once: a tenth less CPU than on two, where each short request wakes the
 * other core's thread (docs/performance/book-poll.md). With more cores the Go runtime decides.
 */
const threadsOfGo = () => (process.env.GOMAXPROCS || availableParallelism() > 2 ? {} : { GOMAXPROCS: '1' });

/**
 * Live pollers have priorities. This version of the server respects them only with this setting, and only within a
 * partition of a queue.
 */
const PRIORITIES = [
  'matching.useNewMatcher=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
].flatMap((setting) => ['--dynamic-config-value', setting]);

export const wipeTemporal = (instance) => removeTemporalFile(instance.folder);

export async function prepareNamespace(ctx, { address, namespace, own }) {
  const env = {
    ...process.env,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_OWN: own ? '1' : '',
  };
  const options = { cwd: ctx.root, env, signal: ctx.signal, log: join(ctx.logs, 'namespace.log') };
  const script = join(ctx.root, 'scripts/servers/prepare-namespace.mjs');
  await ctx.progress.step('Temporal has its namespace and search attributes', async () => {
    await run(process.execPath, [script], { ...options, what: `Preparing Temporal's namespace ${namespace}` });
    return outcomeOf(tailOf(options.log).trim().split('\n').at(-1));
  });
}
