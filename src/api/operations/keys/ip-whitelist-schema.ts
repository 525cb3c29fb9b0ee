// POST /v1/keys/ip-whitelist (A 5.3; shapes 3.7), and the list wherever it is sent.
import { Type } from '@sinclair/typebox';
import { MOST_RANGES } from '../../../accounts/keys/address-ranges';
import { named, text } from '../../wire/vocabulary';

/** The longest way to write an IPv6 range, and room for blanks around it. */
const LONGEST = 64;

export const AddressList = named(
  'AddressList',
  Type.Array(Type.String({ minLength: 1, maxLength: LONGEST }), {
    maxItems: MOST_RANGES,
    description: 'IPv4 and IPv6 addresses and CIDR ranges that may use the key. Empty: every address.',
    examples: [['203.0.113.7', '2001:db8::/32']],
  }),
);

export const storedWhitelist = Type.Array(text(), {
  description: 'Ranges that may use the key, in CIDR form. Empty: every address.',
});

export const KeyAddresses = named(
  'KeyAddresses',
  Type.Object({ ip_whitelist: storedWhitelist, message: text('Who may use the key now, in a sentence.') }),
);
