// `npm run fuzz`: schemathesis asks every operation of /openapi.json what nobody would, and looks for an answer that is a failure or that the
// document does not know. Real servers, a seeded database of its own, nothing of it stays. Says what was found, and how to ask it again.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { Problem } from './command/problem.mjs';
import { runSession } from './command/session.mjs';
import { fuzzHelp, parseFuzzOptions } from './fuzz/options.mjs';
import { PASSES, runPass } from './fuzz/passes.mjs';
import { ensureSchemathesis, requirePython } from './fuzz/python.mjs';
import { startWorld } from './fuzz/world.mjs';
import { claimThrowaway } from './instance/throwaway.mjs';
import { tailOf } from './process/log-reason.mjs';
import { bringUp, decide } from './servers/bring-up.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

await runSession(async ({ signal, onEnd }) => {
  const options = parseFuzzOptions(process.argv.slice(2));
  if (options.help) return console.log(fuzzHelp);
  const python = await requirePython();
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  const bounded = AbortSignal.any([signal, tooLong(options.minutes)]);
  const ctx = await claimThrowaway(root, { name: 'fuzz', what: 'fuzzing', signal: bounded, onEnd });
  const [schemathesis, servers] = await Promise.all([ensureSchemathesis(root, python, ctx), serversFor(ctx)]);
  const world = await startWorld(ctx, servers);
  const found = [];
  for (const pass of PASSES) found.push(...(await runAndTell(pass, world, ctx, schemathesis, options)));
  return tell(found, world);
});

// A message of its own instead of the abort's.
function tooLong(minutes) {
  const controller = new AbortController();
  const end = () => controller.abort(new Problem(`Not done after ${minutes} minutes: give it more with --minutes.`));
  setTimeout(end, minutes * 60_000).unref();
  return controller.signal;
}

async function serversFor(ctx) {
  return bringUp(ctx, await decide(ctx));
}

async function runAndTell(pass, world, ctx, python, options) {
  const { found, said } = await ctx.progress.step(`Asked ${pass.title}`, () =>
    runPass(pass, world, ctx, python, options),
  );
  ctx.progress.say(`  ${said}`);
  return found.map((one) => `${pass.title}:\n${one}`);
}

function tell(found, { log }) {
  if (found.length === 0) {
    console.log('Nothing was found: no failure, and no answer that the document does not know.');
    return 0;
  }
  console.log(`\n${found.join('\n\n')}`);
  console.log(`\nWhat the API wrote meanwhile, its last lines:\n${tailOf(log, 4000)}`);
  return 1;
}
