// Digests of images, read from a registry that speaks HTTP as Docker Hub does.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILES, pinImages } from '../../../scripts/manifests/pin.mjs';

const ROOT = join(__dirname, '../../..');
const DIGEST = `sha256:${'a1'.repeat(32)}`;
const requests: string[] = [];
let missing = 'none';
let server: Server;
let folder: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://registry');
    requests.push(`${request.method} ${url.pathname}`);
    if (url.pathname === '/token') return response.end(JSON.stringify({ token: url.searchParams.get('scope') }));
    const repository = /^\/v2\/(.+)\/manifests\//.exec(url.pathname)![1];
    if (request.headers.authorization !== `Bearer repository:${repository}:pull`) return response.writeHead(401).end();
    if (url.pathname.includes(missing)) return response.writeHead(404).end();
    response.writeHead(200, { 'docker-content-digest': DIGEST }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'images-'));
  for (const file of FILES) cpSync(join(ROOT, file), join(folder, file));
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { registry: url, auth: `${url}/token?service=registry` };
};
const texts = () => FILES.map((file: string) => readFileSync(join(folder, file), 'utf8'));

test('every external image gets the digest that its registry reports, and a second run changes nothing', async () => {
  missing = 'none';
  const digests = await pinImages(folder, place());
  expect([...digests.keys()].length).toBeGreaterThan(6);
  const [compose, image] = texts();
  expect(compose).toMatch(new RegExp(`image: redis:[\\d.]+-alpine@${DIGEST}\\n`));
  expect(compose).toMatch(/image: racing-odds-service\n/);
  expect(image!.match(/^FROM node:[\w.-]+@sha256:\w+/gm)).toHaveLength(2);
  expect(requests).toContainEqual(expect.stringMatching(/^HEAD \/v2\/library\/redis\/manifests\/[\d.]+-alpine$/));
  const before = texts();
  await pinImages(folder, place());
  expect(texts()).toEqual(before);
});

test('one unreadable image leaves every file unchanged', async () => {
  missing = 'temporalio/ui';
  const before = texts();
  await expect(pinImages(folder, place())).rejects.toThrow(/answers 404 for .*temporalio\/ui/);
  expect(texts()).toEqual(before);
});
