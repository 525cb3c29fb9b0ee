// A customer's receiver of webhooks: it keeps every post, replies immediately, and checks each signature as the docs
// describe.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** Call `open(secret)` once the webhook exists; earlier posts are then checked. */
export async function startReceiver() {
  const { Webhook } = await import('standardwebhooks');
  const posts = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    posts.push({ atMs: Date.now(), headers: request.headers, body });
    response.writeHead(204).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    posts,
    /** The posts as events; `event` is null if the signature is wrong. */
    events: (secret) => posts.map((post) => ({ ...post, event: verified(new Webhook(secret), post) })),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

// The library refuses a post whose time is five minutes from now, so each post is checked as of its arrival.
function verified(webhook, { body, headers, atMs }) {
  const now = Date.now;
  try {
    Date.now = () => atMs;
    return webhook.verify(body, headers);
  } catch {
    return null;
  } finally {
    Date.now = now;
  }
}
