// Words that a guesser tries first for this owner: those of the service, and the parts of the owner's address (NIST SP
// 800-63B-4, 3.1.1.2: "expected").

const OF_SERVICE = ['racing', 'odds', 'race', 'horse', 'harness', 'greyhound', 'betting', 'bookmaker', 'punter'];
const LEAST_CHARACTERS = 3;

/** `address`: in lower case. */
export function expectedWords(address: string, baseUrl: string): ReadonlySet<string> {
  const at = address.lastIndexOf('@');
  const name = address.slice(0, at);
  const domains = [address.slice(at + 1), new URL(baseUrl).hostname];
  const parts = [
    name,
    ...name.split(/[^\p{L}\p{N}]+/u),
    ...domains,
    ...domains.flatMap((domain) => domain.split(/[.-]/)),
  ];
  return new Set([...OF_SERVICE, ...parts].filter((word) => word.length >= LEAST_CHARACTERS));
}
