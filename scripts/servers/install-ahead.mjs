// Installs the programs of the servers while npm installs the packages. None of them needs a package, except a fallback
// download; so a failure here is ignored: the step that needs the program tries again and reports it.
import { ensureTemporalCli } from '../install/temporal-cli.mjs';
import { chooseServers, dockerAnswers } from './choose.mjs';
import { ensurePostgres, ensureRedis } from './programs.mjs';

const INSTALLS = { database: ensurePostgres, redis: ensureRedis, temporal: (ctx) => ensureTemporalCli(ctx.root, ctx) };

/** `more`: what a command needs besides its servers, as functions of the same context. */
export async function installAhead(ctx, more = []) {
  const choice = chooseServers(process.env, await dockerAnswers());
  const needed = Object.keys(INSTALLS).filter((name) => choice[name] === 'local');
  await Promise.allSettled([...needed.map((name) => INSTALLS[name]), ...more].map(async (install) => install(ctx)));
}
