// The mailbox behind an address: one text for all its spellings, and never the same text for two people. Pure. Only
// what a provider documents of all its mailboxes counts; at every other domain two spellings are two mailboxes, because
// there `jo+a` and `jo+b` may be two people. Keys are stored (`account_owners.mailbox`): a migration of a release that
// changes a rule sets them to null, and they are computed again.

interface Provider {
  readonly domains: readonly string[];
  /** All domains are names of this one. */
  readonly oneDomain?: string;
  /** Characters of a name that do not count. */
  readonly ignored?: RegExp;
  /** `base-keyword` is a further address of the account that owns `base`, which is not the account's own name. */
  readonly hasKeywords?: true;
  /** `anything@jo.example.com` is `jo@example.com`. */
  readonly hasSubdomains?: true;
}

/** At each of them `jo+tag` is `jo`, and no name has a `+`. */
const PROVIDERS: readonly Provider[] = [
  // Gmail Help, "Dots don't matter in Gmail addresses"; googlemail.com is gmail.com under the name that it had in some
  // countries.
  { domains: ['gmail.com', 'googlemail.com'], oneDomain: 'gmail.com', ignored: /\./g },
  // Microsoft has it since 2013. Names at two of these domains may be two people, as at most providers below.
  {
    domains: [
      'outlook.com',
      'outlook.com.au',
      'hotmail.com',
      'hotmail.com.au',
      'hotmail.co.uk',
      'live.com',
      'live.com.au',
      'msn.com',
    ],
  },
  // Apple: names have letters, digits, dots and underscores.
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
  // Fastmail Help, "Plus addressing and subdomain addressing".
  {
    domains: [
      'fastmail.com',
      'fastmail.com.au',
      'fastmail.fm',
      'fastmail.net',
      'fastmail.org',
      'fastmail.to',
      'fastmail.us',
      'fastmail.uk',
    ],
    hasSubdomains: true,
  },
  // Proton, "Addresses and aliases"; its published clients compare names without dots, hyphens and underscores
  // (`canonicalizeInternalEmail`).
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
  // Yahoo Help, "Disposable addresses": a base name, a hyphen, a keyword. Names have no hyphen.
  {
    domains: ['yahoo.com', 'yahoo.com.au', 'yahoo.co.uk', 'yahoo.co.nz', 'ymail.com', 'rocketmail.com'],
    hasKeywords: true,
  },
  // Zoho Mail Help, "Plus addressing".
  { domains: ['zoho.com', 'zohomail.com', 'zohomail.com.au'] },
];

const BY_DOMAIN = new Map(PROVIDERS.flatMap((provider) => provider.domains.map((domain) => [domain, provider])));

/** `email`: one that `readAddress` accepts. Capitals do not count. */
export function mailboxOf(email: string): string {
  const [name, domain] = partsOf(email.toLowerCase());
  const provider = BY_DOMAIN.get(domain);
  if (!provider) return ofSubdomain(domain) ?? `${name}@${domain}`;
  return `${bareName(name, provider)}@${provider.oneDomain ?? domain}`;
}

/**
 * Also where its domain's provider is unknown: who reads `jo@example.com` most often reads `jo+tag@example.com`. For
 * what may be refused on a doubt.
 */
export function mailboxWithoutTag(email: string): string {
  const [name, domain] = partsOf(mailboxOf(email));
  return `${untagged(name, '+')}@${domain}`;
}

function partsOf(email: string): readonly [name: string, domain: string] {
  const at = email.lastIndexOf('@');
  return [email.slice(0, at), email.slice(at + 1)];
}

function bareName(name: string, { ignored, hasKeywords }: Provider): string {
  const base = untagged(name, '+');
  const isKeyword = hasKeywords && base.indexOf('-') > 0;
  if (isKeyword) return `${untagged(base, '-')}-`;
  return (ignored && base.replace(ignored, '')) || base;
}

/** A name that begins with the sign has no tag. */
function untagged(name: string, sign: string): string {
  const at = name.indexOf(sign);
  return at > 0 ? name.slice(0, at) : name;
}

/** Null: it is no subdomain of a mailbox. */
function ofSubdomain(domain: string): string | null {
  const dot = domain.indexOf('.');
  const above = domain.slice(dot + 1);
  return BY_DOMAIN.get(above)?.hasSubdomains ? `${domain.slice(0, dot)}@${above}` : null;
}
