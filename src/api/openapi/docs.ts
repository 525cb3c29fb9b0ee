// Serves the document as JSON and as YAML, and Swagger UI at `/docs/try` from its package: pages load nothing from
// other hosts.
import { readFileSync } from 'node:fs';
import type Router from '@koa/router';
import { dump } from 'js-yaml';
import { REFERENCE } from '../../security-headers';
import { type PreparedResponse, prepareDocument, send, statusOf } from '../kernel/http/response/prepared';
import type { Schema } from './schema';

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

/** Each is generated at its first request: as YAML, 2.5 MB take 0.2 s. */
export function docsRoutes(router: Router, document: Schema): void {
  text(router, '/openapi.json', 'application/json', () => JSON.stringify(document));
  text(router, '/openapi.yaml', 'application/yaml', () => yamlOf(document));
  file(router, '/docs/try', 'html', () => Buffer.from(PAGE), REFERENCE);
  file(router, '/docs/start.js', 'js', () => Buffer.from(START));
  file(router, '/docs/swagger-ui.css', 'css', () => asset('swagger-ui.css'));
  file(router, '/docs/swagger-ui-bundle.js', 'js', () => asset('swagger-ui-bundle.js'));
}

function text(router: Router, path: string, type: string, make: () => string): void {
  let made: PreparedResponse | null = null;
  router.get(path, (ctx) => {
    made ??= prepareDocument(make(), `${type}; charset=utf-8`, { revalidated: true });
    return send(ctx, made, statusOf(ctx, made));
  });
}

/**
 * Without anchors and folded lines, which not every reader knows; a text that YAML 1.1 reads as a date or a boolean is
 * quoted.
 */
const yamlOf = (document: Schema): string => dump(document, { noRefs: true, lineWidth: -1 });

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
