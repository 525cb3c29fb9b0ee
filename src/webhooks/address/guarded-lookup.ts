// The lookup of a connection: every address of the name is checked at that moment, and the connection goes to a checked
// one (D60). Changing a name after the webhook was created gains nothing.
import type { LookupFunction } from 'node:net';
import { isIPv6 } from 'node:net';
import { isLocalName } from './check-url';
import { type AddressRules, mayBePosted } from './public-address';
import type { Resolver } from './resolver';

export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

export function createGuardedLookup(rules: AddressRules, resolve: Resolver): LookupFunction {
  const checked = async (name: string): Promise<readonly string[]> => {
    const addresses = isLocalName(name) ? ['127.0.0.1', '::1'] : await resolve(name);
    if (!addresses.every((address) => mayBePosted(address, rules))) throw new AddressRefused('not a public address');
    return addresses;
  };
  return (name, { all, family }, done) => {
    checked(name).then(
      (addresses) => {
        const wanted = addresses.filter((address) => !family || familyOf(address) === Number(`${family}`.slice(-1)));
        const [first] = wanted;
        if (first === undefined) done(new Error('no address of this family'), '', 0);
        else if (all) {
          done(
            null,
            wanted.map((address) => ({ address, family: familyOf(address) })),
          );
        } else done(null, first, familyOf(first));
      },
      (error: Error) => done(error, '', 0),
    );
  };
}

const familyOf = (address: string): 4 | 6 => (isIPv6(address) ? 6 : 4);
