// A name server on this machine, whose answers a test changes between two queries.
import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { decode, encode } from 'dns-packet';

export interface DnsServer {
  /** `host:port`. */
  readonly address: string;
  /**
   * By name; `silent` never answers; among addresses, it leaves queries for IPv6 unanswered; a missing name does not
   * exist.
   */
  readonly names: Map<string, readonly string[] | 'silent'>;
  close(): Promise<void>;
}

export async function startDnsServer(): Promise<DnsServer> {
  const names: DnsServer['names'] = new Map();
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { id, questions = [] } = decode(message);
    const [{ name, type } = { name: '', type: 'A' as const }] = questions;
    const found = names.get(name);
    if (found === 'silent' || (type === 'AAAA' && found?.includes('silent'))) return;
    const ofFamily = (found ?? []).filter((each) => each !== 'silent' && each.includes(':') === (type === 'AAAA'));
    const answers = ofFamily.map((data) => ({ type: type as 'A' | 'AAAA', name, data, ttl: 0 }));
    const noSuchName = 3;
    const flags = 0x100 | 0x80 | (found ? 0 : noSuchName);
    socket.send(encode({ type: 'response', id, flags, questions, answers }), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    names,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
