// POST /v1/keys/ip-whitelist (A 5.3, D40; shapes 3.7). Free.
import type { OwnedKeys } from '../../../accounts/keys/owned-keys';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { AddressList, KeyAddresses } from './ip-whitelist-schema';
import { readWhitelist } from './whitelist';

export const setIpWhitelist = endpoint<{ ownedKeys: OwnedKeys }>()({
  method: 'post',
  path: '/v1/keys/ip-whitelist',
  operationId: 'set_ip_whitelist',
  tag: 'Keys',
  summary: 'Restrict the key to addresses',
  description:
    'Replaces the list of addresses that may use the key in `X-API-Key`, the key that it replaced included. The body is the list: IPv4 and IPv6 ' +
    'addresses and CIDR ranges, `[]` for every address. A single address is stored as `/32` or `/128`, `::ffff:192.0.2.1` as ' +
    '`192.0.2.1/32`, and what is listed twice once. A range that begins inside itself (`192.0.2.1/24`) and a list without your own address are a ' +
    '422. It counts at once; requests from elsewhere are a 403 `ip_not_allowed`.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  body: AddressList,
  errors: ['not_found'],
  ok: {
    description: 'The list as it is stored.',
    schema: KeyAddresses,
    example: {
      ip_whitelist: ['203.0.113.7/32', '2001:db8::/32'],
      message: 'Only these 2 addresses and ranges may use the key now.',
    },
  },
  async handler({ caller, body, browser, services: { ownedKeys } }) {
    const addresses = readWhitelist(body, '', browser!.address);
    const list = await ownedKeys.restrict(caller!, addresses, browser!);
    return { body: { ip_whitelist: [...list], message: messageOf(list.length) } };
  },
});

function messageOf(count: number): string {
  if (count === 0) return 'Every address may use the key now.';
  return count === 1
    ? 'Only this address or range may use the key now.'
    : `Only these ${count} addresses and ranges may use the key now.`;
}
