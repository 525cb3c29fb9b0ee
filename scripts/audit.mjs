// `npm run audit`: lists known vulnerabilities of the production packages in package-lock.json, where the registry has an audit.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { audit } from './audit/advisories.mjs';
import { asksForHelp } from './command/help.mjs';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { runSession } from './command/session.mjs';

const help = `npm run audit

Lists the known vulnerabilities of the production packages in package-lock.json.
Exit codes: 0 none, or only low and moderate ones · 1 a high or critical one · 3 the registry has no audit or does not answer, nothing was run.`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));

await runSession(async ({ signal }) => {
  if (asksForHelp(process.argv.slice(2))) return console.log(help);
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  const { lines, exitCode } = await audit(root, process.env, signal);
  for (const line of lines) console.log(line);
  return exitCode;
});
