import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from 'racing-odds-client';

const secret = process.env.WEBHOOK_SECRET ?? '';

const server = createServer(async (request, response) => {
  try {
    const event = await verifyWebhook(secret, request.headers, await text(request));
    console.log(event.event);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
});
server.listen(Number(process.env.PORT ?? 8080), () => console.log('listening'));
