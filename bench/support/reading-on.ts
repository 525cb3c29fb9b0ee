// Reads one address of the API again and again and throws it away, in a process of its own that gives way to others.
import { get as httpGet } from 'node:http';
import { constants, setPriority } from 'node:os';

const [, , url = '', key = ''] = process.argv;

function read(): void {
  httpGet(url, { headers: { 'x-api-key': key }, agent: false }, (reply) => {
    reply.once('data', () => process.send?.('begun'));
    reply.resume().on('end', read);
  });
}

setPriority(constants.priority.PRIORITY_LOW);
process.once('disconnect', () => process.exit());
read();
