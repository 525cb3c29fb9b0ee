// The words of a folded name, as two spellings of one team share them: in one language, without what clubs carry or
// not, as the book likes.

/** Words that mean one thing in every sport. */
const ONE_WORD: Readonly<Record<string, string>> = {
  ...{ saint: 'st', sankt: 'st', utd: 'united', nth: 'north', nthn: 'northern', sth: 'south', sthn: 'southern' },
  ...{ mt: 'mount', ft: 'fort', nottm: 'nottingham', qld: 'queensland', nsw: 'new-south-wales', wdrs: 'wanderers' },
  // Towns under their own and their English names.
  ...{ munchen: 'munich', muenchen: 'munich', koln: 'cologne', koeln: 'cologne', wien: 'vienna', praha: 'prague' },
  ...{ warszawa: 'warsaw', moskva: 'moscow', lisboa: 'lisbon', roma: 'rome', napoli: 'naples', milano: 'milan' },
  ...{ torino: 'turin', sevilla: 'seville', beograd: 'belgrade', bucuresti: 'bucharest', kobenhavn: 'copenhagen' },
  ...{ koebenhavn: 'copenhagen', goteborg: 'gothenburg', kiev: 'kyiv', kyyiv: 'kyiv', brugge: 'bruges' },
  ...{ antwerpen: 'antwerp', geneve: 'geneva', athina: 'athens', zuerich: 'zurich' },
  ...{ dinamo: 'dynamo', lokomotive: 'lokomotiv', krakow: 'cracow' },
};

/** What says that something is a club, and no more. */
const CLUB = new Set(
  (
    'fc afc cf sc bk if ff sk fk ac as ss us ssc acf cd ud sd rcd ca cr ec rc rfc rlfc rufc sv bv vfb vfl tsv tsg fsv spvgg kv kvc ' +
    'krc nk hnk gnk mfk hc bc kk cb club cp calcio futbol football fotball fodbold rugby basketball basket il ik'
  ).split(' '),
);
/** Of clubs; elsewhere such words are parts of names: `SC` is a state. */
const isOfClubs = (sportKey: string): boolean =>
  /^(?:soccer_|super_league|rugby_union|basketball_other)/.test(sportKey);

/** Never empty for a name that is not. */
export function wordsOf(sportKey: string, slug: string): readonly string[] {
  const all = joinLetters(slug.split('-').filter((word) => word !== 'and' && word !== 'the'));
  const plain = all.flatMap((word, i) => oneWord(sportKey, word, i).split('-')).map(squashed);
  const bare = plain.filter((word) => !isNoise(sportKey, word));
  return bare.some(({ length }) => length > 1) ? bare : plain.length > 0 ? plain : [slug];
}

/** Words as one text in their order. */
export const textOf = (words: readonly string[]): string => words.join(' ');

function oneWord(sportKey: string, word: string, at: number): string {
  // `Ohio St`, but `St Louis`.
  if (sportKey === 'ncaaf' && word === 'st' && at > 0) return 'state';
  return Object.hasOwn(ONE_WORD, word) ? ONE_WORD[word]! : word;
}

const isNoise = (sportKey: string, word: string): boolean =>
  isOfClubs(sportKey) && (CLUB.has(word) || (sportKey.startsWith('soccer') && /^(?:\d\d+|1)$/.test(word)));

/** `Texas A&M`, `L. A.`: letters that stand alone beside each other are one word. */
function joinLetters(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let open = false;
  for (const word of words) {
    const isLetter = /^[a-z]$/.test(word);
    if (isLetter && open) joined.push(`${joined.pop()}${word}`);
    else joined.push(word);
    open = isLetter;
  }
  return joined;
}

/** `ü`, `ue` and `u`; `å`, `aa` and `a`: one letter in the way each book writes it. */
export const squashed = (word: string): string => word.replace(/([aou])e/g, '$1').replaceAll('aa', 'a');
