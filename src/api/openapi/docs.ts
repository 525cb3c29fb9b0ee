// Serves the document as JSON and as YAML, and Swagger UI at `/docs/try` from its package: pages load nothing from
// other hosts.
import { readFileSync } from 'node:fs';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { REFERENCE } from '../../security-headers';
import { type PreparedResponse, send, statusOf } from '../kernel/http/response/prepared';
import type { ApiDocuments } from './documents';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Racing Odds Service: try the API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</html>
`;

// Without its badge of a third-party validator, which it shows wherever the service is public.
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null });\n`;

export function docsRoutes(router: Router, documents: ApiDocuments): void {
  router.get('/openapi.json', (ctx) => answer(ctx, documents.json()));
  router.get('/openapi.yaml', async (ctx) => answer(ctx, await documents.yaml()));
  file(router, '/docs/try', 'html', () => Buffer.from(PAGE), REFERENCE);
  file(router, '/docs/start.js', 'js', () => Buffer.from(START));
  file(router, '/docs/swagger-ui.css', 'css', () => asset('swagger-ui.css'));
  file(router, '/docs/swagger-ui-bundle.js', 'js', () => asset('swagger-ui-bundle.js'));
}

const answer = (ctx: Context, prepared: PreparedResponse): void | Promise<void> =>
  send(ctx, prepared, statusOf(ctx, prepared));

const asset = (name: string): Buffer => readFileSync(require.resolve(`swagger-ui-dist/${name}`));

function file(router: Router, path: string, type: string, make: () => Buffer, security = {}): void {
  let bytes: Buffer | null = null;
  router.get(path, (ctx) => {
    bytes ??= make();
    ctx.set(security);
    ctx.type = type;
    ctx.set('Cache-Control', 'public, max-age=3600');
    ctx.body = bytes;
  });
}
