// npm's own audit against the test's registry: with an advisory, without an audit, and unavailable.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

interface Verdict {
  readonly lines: readonly string[];
  readonly exitCode: number;
}
const { audit, verdictOf } = require('../../../scripts/audit/advisories.mjs') as {
  audit(folder: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Verdict>;
  verdictOf(text: string): Verdict;
};

const packages = {
  '': { dependencies: { left: '1.0.0' }, devDependencies: { tool: '1.0.0' } },
  'node_modules/left': { version: '1.0.0' },
  'node_modules/tool': { version: '1.0.0', dev: true },
};

let folder: string;
let server: Server;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'audited', version: '1.0.0', ...packages[''] }));
  const lock = { name: 'audited', version: '1.0.0', lockfileVersion: 3, packages };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

async function auditWith(registry: RequestListener): Promise<Verdict> {
  server = createServer(registry);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: folder,
    npm_config_fetch_retries: '0',
  };
  return audit(folder, env, new AbortController().signal);
}

test('a high advisory of a production package fails, and development packages are not queried', async () => {
  let asked = {};
  const left = {
    id: 1,
    url: 'https://advisories.example/1',
    title: 'Left leaks',
    severity: 'high',
    vulnerable_versions: '<2.0.0',
  };
  const verdict = await auditWith((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const isAudit = request.method === 'POST';
      if (isAudit) asked = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString());
      const versions = { '1.0.0': { name: 'left', version: '1.0.0' } };
      response.end(
        JSON.stringify(isAudit ? { left: [left] } : { name: 'left', versions, 'dist-tags': { latest: '1.0.0' } }),
      );
    });
  });
  expect(asked).toEqual({ left: ['1.0.0'] });
  expect(verdict).toEqual({ lines: ['high: left *: Left leaks (https://advisories.example/1)'], exitCode: 1 });
});

test('a registry without an audit is not a pass, because nothing was run', async () => {
  const verdict = await auditWith((_, response) => response.writeHead(405).end());
  expect(verdict).toEqual({ lines: ['Not run: the registry has no audit (405).'], exitCode: 3 });
});

test.each([
  [
    'a lower advisory is printed and passes',
    report({ left: { name: 'left', severity: 'moderate', range: '*', via: ['right'] } }),
    0,
  ],
  ['no advisory passes', report({}), 0],
  ['a registry that is away is no pass', '{"error":{"code":"ENOTFOUND"}}', 3],
  ['no output is no pass', '', 3],
])('%s', (_, text, exitCode) => {
  server = createServer();
  expect(verdictOf(text)).toMatchObject({ exitCode });
});

function report(vulnerabilities: object): string {
  return JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: {} });
}
