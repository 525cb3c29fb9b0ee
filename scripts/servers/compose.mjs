// The servers in Docker, from docker-compose.yml of this checkout with its own project name, so that neither a second
// clone nor a plain `docker compose up` is ever touched. Stopping keeps the volumes; only `wipe` removes them.
import { join } from 'node:path';
import { run } from '../process/run.mjs';
import { instanceKey } from './data-folder.mjs';

const services = { database: ['timescaledb'], redis: ['redis'], temporal: ['temporal', 'temporal-ui'] };

export const composeProject = (instance) => `racing-odds-${instanceKey(instance)}`;

export async function composeUp(ctx, names) {
  const wanted = names.flatMap((name) => services[name]);
  ctx.instance.write({ compose: composeProject(ctx.instance) });
  await ctx.progress.step(`Docker runs ${wanted.join(', ')}`, () =>
    compose(ctx, ['up', '--detach', '--wait', ...wanted]),
  );
}

export const composeStop = (ctx) => compose(ctx, ['stop']);
export const composeWipe = (ctx) => compose(ctx, ['down', '--volumes']);

function compose({ root, instance, logs, ports, signal }, args) {
  const place = ['compose', '--project-directory', root, '--file', join(root, 'docker-compose.yml')];
  return run('docker', [...place, '--project-name', composeProject(instance), ...args], {
    cwd: root,
    env: { ...process.env, ...passwords(), ...portVariables(ports) },
    log: join(logs, 'docker-compose.log'),
    signal,
    what: `docker compose ${args[0]}`,
  });
}

// As in docker-compose.yml. They are passed to compose, because only compose reads a `.env` file.
export const passwords = ({ POSTGRES_PASSWORD, REDIS_PASSWORD } = process.env) => ({
  POSTGRES_PASSWORD: POSTGRES_PASSWORD || 'racing',
  REDIS_PASSWORD: REDIS_PASSWORD || 'racing',
});

function portVariables(ports) {
  if (!ports) return {};
  const { postgres, redis, temporal, ui } = ports;
  return { POSTGRES_PORT: postgres, REDIS_PORT: redis, TEMPORAL_PORT: temporal, TEMPORAL_UI_PORT: ui };
}
