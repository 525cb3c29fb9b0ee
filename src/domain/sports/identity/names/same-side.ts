// Whether two names are one side of a match, as far as names can say. `same` is equality; `compatible` needs a match
// around it: the other side, one start, no other match that fits, and prices that agree (`like-stored.ts`).
import type { Side } from '../team-names';
import { align } from './align';
import { type Likeness, strongest } from './likeness';
import { isOfPlayers, likenessOfPlayers } from './players';
import type { SportNames } from './sport-names';

/** Words that name no team on their own. */
const GENERIC = new Set(
  (
    'united city town county state tech university college real athletic atletico sporting dynamo lokomotiv spartak racing inter union ' +
    'north south east west northern southern eastern western central new san los las santa st de la el al del do da di le den royal ' +
    'rovers wanderers albion rangers tigers lions eagles bulldogs wildcats bears panthers giants team women men national deportivo ' +
    'independiente nacional olympic olympique universidad hapoel maccabi beitar cska'
  ).split(' '),
);
/** Other sides of a club: one name with such a word and one without are two. */
const DIVIDING = new Set(
  'ii iii iv b c 2 3 jong castilla futuro primavera amateure amateurs xi a select emerging'.split(' '),
);

export function likenessOf(sportKey: string, a: Side, b: Side, names: SportNames): Likeness {
  if (a.suffix !== b.suffix || names.areApart(a.club, b.club)) return 'different';
  if (a.club === b.club) return 'same';
  if (a.isKnown && b.isKnown) return 'different';
  if (isOfPlayers(sportKey)) return likenessOfPlayers(a.players, b.players);
  return likenessOfWords(wordingsOf(a, names), wordingsOf(b, names));
}

type Words = readonly string[];

const wordingsOf = (side: Side, names: SportNames): readonly Words[] => [side.words, ...names.namesOf(side.club)];

/** The best of all names of one and all of the other. */
function likenessOfWords(ours: readonly Words[], theirs: readonly Words[]): Likeness {
  return strongest(ours.flatMap((one) => theirs.map((other) => likeness(one, other))));
}

function likeness(a: Words, b: Words): Likeness {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.toSorted().join(' ') === long.toSorted().join(' ')) return 'same';
  const left = long.filter((word) => !short.includes(word));
  const over = short.filter((word) => !long.includes(word));
  if ([...left, ...over].some((word) => DIVIDING.has(word))) return 'different';
  const isWithin = over.length === 0 && short.some((word) => word.length > 2 && !GENERIC.has(word));
  if (isWithin) return 'compatible';
  return [long, withoutSponsor(long)].some((one) => isAligned(short, one)) || isAligned(withoutSponsor(short), long)
    ? 'compatible'
    : 'different';
}

const isAligned = (a: Words, b: Words): boolean => (align(a, b)?.exact ?? align(b, a)?.exact ?? 0) >= 3;

/** A sponsor comes first: `Harvest Brisbane Broncos`. A word of many clubs is no sponsor: `North Melbourne`. */
const withoutSponsor = (words: Words): Words => (words.length >= 3 && !GENERIC.has(words[0]!) ? words.slice(1) : words);
