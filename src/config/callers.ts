// The proxies and origins through which a caller's request may come.
import { readTrustedProxies, TRUSTED_PROXIES_FORM, type TrustedProxies } from '../trusted-proxies';
import { ConfigError } from './environment';

export function proxiesOf(list: string): TrustedProxies {
  const proxies = readTrustedProxies(list);
  if (proxies === null) throw new ConfigError(`TRUSTED_PROXIES is '${list}'; it must be ${TRUSTED_PROXIES_FORM}`);
  return proxies;
}

/** As encrypted as the public address: an unencrypted page may be changed by anybody. */
export function originsOf(list: string, baseUrl: string): string[] {
  const [scheme] = baseUrl.split(':', 1);
  const names = list.split(',').map((name) => name.trim());
  return names.filter(Boolean).map((name) => {
    if (URL.canParse(name) && new URL(name).origin === name && name.startsWith(`${scheme}://`)) return name;
    throw new ConfigError(`OTHER_ORIGINS has '${name}'; it must be an origin such as ${scheme}://www.example.com`);
  });
}
