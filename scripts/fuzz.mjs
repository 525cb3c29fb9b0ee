// `npm run fuzz`: schemathesis sends unusual requests to every operation of /openapi.json and looks for failures and
// for responses that the document does not describe; then it sends hostile HTTP over raw sockets to processes that it
// measures. It uses real servers and its own seeded databases, which it removes at the end. It prints the findings and
// how to repeat them.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { Problem } from './command/problem.mjs';
import { runSession } from './command/session.mjs';
import { runHostile } from './fuzz/hostile.mjs';
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
  const python = options.schemathesis ? requirePython() : null;
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  const bounded = AbortSignal.any([signal, tooLong(options.minutes)]);
  const ctx = await claimThrowaway(root, { name: 'fuzz', what: 'fuzzing', signal: bounded, onEnd });
  const [schemathesis, servers] = await Promise.all([
    python && ensureSchemathesis(root, python, ctx),
    bringUp(ctx, await decide(ctx)),
  ]);
  const found = python ? await askWithSchemathesis(ctx, servers, schemathesis, options) : [];
  if (options.hostile) found.push(...titled(await runHostile(ctx, servers, options)));
  return print(found);
});

function titled(sentences) {
  return sentences.length === 0 ? [] : [`hostile requests:\n${sentences.join('\n')}`];
}

// A message that explains more than that of the abort.
function tooLong(minutes) {
  const controller = new AbortController();
  const end = () => controller.abort(new Problem(`Not done after ${minutes} minutes: give it more with --minutes.`));
  setTimeout(end, minutes * 60_000).unref();
  return controller.signal;
}

async function askWithSchemathesis(ctx, servers, schemathesis, options) {
  const world = await startWorld(ctx, servers);
  const found = [];
  for (const pass of PASSES) found.push(...(await runAndPrint(pass, world, ctx, schemathesis, options)));
  if (found.length > 0) found.push(`The last lines of the API's log:\n${tailOf(world.log, 4000)}`);
  return found;
}

async function runAndPrint(pass, world, ctx, python, options) {
  const { found, summary } = await ctx.progress.step(`Requests ${pass.title}`, () =>
    runPass(pass, world, ctx, python, options),
  );
  ctx.progress.note(`  ${summary}`);
  return found.map((one) => `${pass.title}:\n${one}`);
}

function print(found) {
  if (found.length === 0) {
    console.log('Nothing was found: no failure, and no response that the document does not describe.');
    return 0;
  }
  console.log(`\n${found.join('\n\n')}`);
  return 1;
}
