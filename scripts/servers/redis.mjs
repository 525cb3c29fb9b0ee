// Our own Redis on the loopback interface. `durable: false` (tests) never writes to disk.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from '../process/launch.mjs';
import { repliesTcp, waitUntil } from '../process/wait-until.mjs';
import { redisPrograms } from './programs.mjs';

export async function startRedis(ctx) {
  const programs = await redisPrograms(ctx);
  const bringUp = async () => {
    const start = () => launch(ctx, { name: 'redis', ...invocation(ctx, programs) });
    const running = start();
    const answers = () => repliesTcp(ctx.ports.redis, 'PING\r\n');
    await waitUntil(answers, { process: running, signal: ctx.signal });
    ctx.watched?.push({ running, start, answers });
  };
  await ctx.progress.step('Redis is up', bringUp);
  return `redis://127.0.0.1:${ctx.ports.redis}`;
}

function invocation({ ports, durable }, programs) {
  const folder = join(programs.data, 'redis');
  mkdirSync(folder, { recursive: true });
  programs.give(folder);
  const place = ['--port', String(ports.redis), '--bind', '127.0.0.1', '--dir', join(programs.inside, 'redis')];
  const [command, args] = programs.command('redis-server', [...place, '--save', ...(durable ? ['60', '1'] : [''])]);
  return { command, args };
}
