// The result of reading docker-compose.yml, from the output of Go. The parser itself is a Go program, which CI runs.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCompose } from '../../../scripts/manifests/compose.mjs';

const usual = process.env.PATH;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'compose-'));
});
afterEach(() => {
  process.env.PATH = usual;
  rmSync(folder, { recursive: true });
});

const read = () => checkCompose(folder, { signal: new AbortController().signal, logs: folder });

function goPrints(line: string, code: number): void {
  writeFileSync(join(folder, 'go'), `#!/bin/sh\ncat <<'END'\n${line}\nEND\nexit ${code}\n`);
  chmodSync(join(folder, 'go'), 0o755);
  process.env.PATH = `${folder}:${usual}`;
}

test('a broken file fails the check; a parser that cannot run neither passes nor fails it', async () => {
  goPrints('services: {}', 0);
  expect(await read()).toMatchObject({ passed: true });
  goPrints("failed to load project: additional properties 'ports' not allowedexit status 1", 1);
  expect(await read()).toEqual({
    passed: false,
    line: "docker-compose.yml: additional properties 'ports' not allowed",
  });
  goPrints('go: module lookup disabled', 1);
  expect(await read()).toMatchObject({ passed: null, line: expect.stringContaining('was not read') });
  process.env.PATH = join(folder, 'nothing');
  expect(await read()).toEqual({ passed: null, line: 'docker-compose.yml was not read: there is no Go here.' });
});
