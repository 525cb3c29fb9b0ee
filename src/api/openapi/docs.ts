// Serves `/openapi.json`, and Swagger UI at `/docs` from its package: pages load nothing from other hosts.
import { readFileSync } from 'node:fs';
import type Router from '@koa/router';
import { prepareResponse, send, statusOf } from '../http/response/prepared';
import { tagOfText } from '../http/tag';
import type { Schema } from './schema';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Racing Odds Service: API reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</html>
`;

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true });\n`;

export function docsRoutes(router: Router, document: Schema): void {
  const prepared = prepareResponse({ body: document }, tagOfText);
  router.get('/openapi.json', (ctx) => send(ctx, prepared, statusOf(ctx, prepared)));
  file(router, '/docs', 'html', Buffer.from(PAGE));
  file(router, '/docs/start.js', 'js', Buffer.from(START));
  file(router, '/docs/swagger-ui.css', 'css', asset('swagger-ui.css'));
  file(router, '/docs/swagger-ui-bundle.js', 'js', asset('swagger-ui-bundle.js'));
}

const asset = (name: string): Buffer => readFileSync(require.resolve(`swagger-ui-dist/${name}`));

function file(router: Router, path: string, type: string, bytes: Buffer): void {
  router.get(path, (ctx) => {
    ctx.type = type;
    ctx.set('Cache-Control', 'public, max-age=3600');
    ctx.body = bytes;
  });
}
