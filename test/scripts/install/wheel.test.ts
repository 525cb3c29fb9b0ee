// A program from a wheel: from an index in either format, verified only by its checksum, and never any other bytes.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { runs } from '../../support/property';

const { programFromWheel, indexOf } = require('../../../scripts/install/wheel.mjs') as {
  programFromWheel(of: object, file: string, context: object): Promise<boolean>;
  indexOf(env: Record<string, string>): string;
};
const { fileInZip } = require('../../../scripts/install/zip.mjs') as {
  fileInZip(archive: Buffer, nameEnd: string): Promise<Buffer>;
};

interface Entry {
  readonly name: string;
  readonly bytes: Buffer;
  readonly deflated: boolean;
}

/** APPNOTE.TXT: local headers with their files, then the directory, then its end. */
function zip(entries: readonly Entry[], comment = ''): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, bytes, deflated } of entries) {
    const packed = deflated ? deflateRawSync(bytes) : bytes;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    local.writeUInt16LE(4, 28);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(deflated ? 8 : 0, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(bytes.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    files.push(local, Buffer.from(name), Buffer.alloc(4), packed);
    directory.push(entry, Buffer.from(name));
    at += 34 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...files, ...directory, end, Buffer.from(comment)]);
}

const PROGRAM = Buffer.from('#!/bin/sh\necho it runs\n');
const WHEEL = zip([
  { name: 'tool-1.0.dist-info/METADATA', bytes: Buffer.from('Name: tool'), deflated: false },
  { name: 'tool-1.0.data/scripts/tool', bytes: PROGRAM, deflated: true },
]);
const SHA = createHash('sha256').update(WHEEL).digest('hex');

let folder: string;
let server: Server;
let form: 'json' | 'html';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wheel-'));
  server = createServer(({ url, headers }, response) => {
    if (url === '/simple/tool/' && form === 'json') {
      expect(headers.accept).toContain('application/vnd.pypi.simple.v1+json');
      const files = [{ url: '../../files/tool.whl', hashes: { sha256: SHA } }];
      response.setHeader('Content-Type', 'application/vnd.pypi.simple.v1+json');
      return response.end(JSON.stringify({ files }));
    }
    if (url === '/simple/tool/')
      return response
        .setHeader('Content-Type', 'text/html')
        .end(`<a href="/files/other.whl#sha256=${'0'.repeat(64)}">o</a><a href="/files/tool.whl#sha256=${SHA}">t</a>`);
    if (url === '/files/tool.whl') return response.end(WHEEL);
    if (url === '/files/other.whl') return response.end('other bytes');
    response.statusCode = 404;
    return response.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const file = () => join(folder, 'tool');
const log = () => join(folder, 'wheel.log');
beforeEach(() => {
  for (const one of [file(), log()]) rmSync(one, { force: true });
});

function fetched(sha256: string, env: Record<string, string> = {}, project = 'tool') {
  const { port } = server.address() as AddressInfo;
  const signal = new AbortController().signal;
  const of = { project, program: 'tool', sha256: { [`${process.platform}-${process.arch}`]: sha256 } };
  const index = { PIP_INDEX_URL: `http://127.0.0.1:${port}/simple` };
  return programFromWheel(of, file(), { signal, log: log(), env: { ...index, ...env } });
}

test.each(['json', 'html'] as const)('an index in %s', async (one) => {
  form = one;
  expect(await fetched(SHA)).toBe(true);
  expect(readFileSync(file())).toEqual(PROGRAM);
  expect(statSync(file()).mode & 0o111).toBe(0o111);
});

test('other bytes are never written; the log has the reason', async () => {
  form = 'html';
  expect(await fetched('0'.repeat(64))).toBe(false);
  expect(existsSync(file())).toBe(false);
  expect(readFileSync(log(), 'utf8')).toMatch(/tool\.whl|other\.whl has the checksum/);
});

test('an index without the project or the version, or an unreachable one, is not a failure in itself', async () => {
  form = 'json';
  expect(await fetched(SHA, {}, 'nothing')).toBe(false);
  expect(await fetched('1'.repeat(64))).toBe(false);
  expect(await fetched(SHA, { PIP_INDEX_URL: 'http://127.0.0.1:9/simple' })).toBe(false);
  expect(readFileSync(log(), 'utf8').trim().split('\n')).toHaveLength(3);
});

test('the index is pip’s', () => {
  const config = join(folder, 'pip.conf');
  writeFileSync(config, '[global]\ntimeout = 3\nindex-url = https://mirror.example/simple/\n');
  const HOME = join(folder, 'home');
  expect(indexOf({ HOME, PIP_CONFIG_FILE: config })).toBe('https://mirror.example/simple');
  expect(indexOf({ HOME, PIP_CONFIG_FILE: config, PIP_INDEX_URL: 'https://own.example' })).toBe('https://own.example');
});

test('any file of any archive is read as it was packed', async () => {
  const entry = fc.record({
    name: fc.stringMatching(/^[a-z]{1,9}$/),
    bytes: fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
    deflated: fc.boolean(),
  });
  const entries = fc.uniqueArray(entry, { selector: ({ name }) => name, minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(entries, fc.stringMatching(/^[a-z]{0,50}$/), async (all, comment) => {
      const archive = zip(
        all.map((one) => ({ ...one, name: `x/${one.name}` })),
        comment,
      );
      for (const { name, bytes } of all) expect(await fileInZip(archive, `/${name}`)).toEqual(bytes);
      await expect(fileInZip(archive, '/none')).rejects.toThrow('the archive has no /none');
    }),
    { numRuns: runs(50) },
  );
});
