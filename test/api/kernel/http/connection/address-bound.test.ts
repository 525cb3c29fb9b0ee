import { EventEmitter } from 'node:events';
import type { Server } from 'node:net';
import { boundPerAddress } from '../../../../../src/api/kernel/http/connection/address-bound';

class Connection extends EventEmitter {
  isOpen = true;
  constructor(readonly network: string | null) {
    super();
  }
  destroy(): void {
    this.isOpen = false;
    this.emit('close');
  }
}

test('each address has its own limit, a closed connection frees a place, and some addresses are not counted', () => {
  const server = new EventEmitter();
  boundPerAddress(server as Server, 2, (socket) => (socket as unknown as Connection).network);
  const open = (network: string | null): Connection => {
    const connection = new Connection(network);
    server.emit('connection', connection);
    return connection;
  };
  const all = ['a', 'a', 'a', 'b', 'b', 'b', null, null, null].map(open);
  const [first, , third] = all as [Connection, Connection, Connection];
  expect(all.map(({ isOpen }) => isOpen)).toEqual([true, true, false, true, true, false, true, true, true]);
  // A refused connection does not count, also when it closes.
  third.emit('close');
  expect(open('a').isOpen).toBe(false);
  first.destroy();
  expect([open('a'), open('a')].map(({ isOpen }) => isOpen)).toEqual([true, false]);
});
