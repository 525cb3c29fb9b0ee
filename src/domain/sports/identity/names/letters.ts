// A name as plain Latin text: the one folding that keys, spellings and comparisons begin with.

/** Letters that no decomposition turns into a plain one. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i', ħ: 'h', ŋ: 'n', ŧ: 't', ĸ: 'k' },
  ...{ ə: 'e', ɓ: 'b', ɗ: 'd', ƙ: 'k', ɛ: 'e', ɔ: 'o', ƒ: 'f' },
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** Lower-case letters and digits, words by hyphens. Empty for a name without a Latin letter or digit. */
export const slugOf = (name: string): string =>
  name
    .replace(/[`´ʻʼ‘’'′]/g, '')
    // `W.Bulldogs`, but `N.Z.`
    .replace(/\.(?=\p{L}{2})/gu, ' ')
    .normalize('NFKD')
    .replace(/\p{M}|\./gu, '')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(UNDECOMPOSED, (letter) => PLAIN[letter]!)
    .replaceAll('&', ' and ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Clubs may or may not carry these, depending on the book. */
const CLUB = new Set(['fc', 'afc', 'cf']);

/** A folded name as it appears in keys. */
export function keyOf(sportKey: string, slug: string): string {
  if (!sportKey.startsWith('soccer')) return slug;
  const bare = slug.split('-').filter((word) => !CLUB.has(word));
  return bare.length > 0 ? bare.join('-') : slug;
}
