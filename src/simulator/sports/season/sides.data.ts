// Invented sides of the season: towns, nicknames and players that are in no table of the service. Data, not behaviour.

const TOWNS = [
  'Marlow Bay',
  'Port Selwyn',
  'Northgate',
  'St Avery',
  'Kilbride',
  'East Hallam',
  'Windmere',
  'Tarrawin',
].concat(['Oxley Heads', 'Glenorrin', 'Brøndal', 'Châtelmont', 'Kesterton', 'Ravensdale', 'Mt Ardley', 'Lower Quay']);

/** `Marlow Bay Herons`; other spellings: the town alone, and the town shortened. */
export function clubsOf(nicknames: readonly string[], firstTown: number): readonly (readonly string[])[] {
  return nicknames.map((nickname, i) => {
    const town = TOWNS[(firstTown + i) % TOWNS.length]!;
    const short = town.replace(/^(\w)\w+ /, '$1. ');
    return [`${town} ${nickname}`, town, `${short} ${nickname}`];
  });
}

/** `Marlow Bay United`, as in soccer, with and without the kind of club. */
export const SOCCER_CLUBS: readonly (readonly string[])[] = TOWNS.slice(0, 12).map((town, i) => {
  const kind = ['United', 'FC', 'City', 'Rovers'][i % 4]!;
  return [`${town} ${kind}`, town, `${town.slice(0, 3)} ${kind}`];
});

export const NATIONS: readonly (readonly string[])[] = [
  'Valdoria',
  'Kestria',
  'Nordmark Isles',
  'Ostrava Union',
  'Tamberlane',
  'Ilyria',
].map((name) => [name, `The ${name}`]);

const FIRST = [
  'Ana',
  'Bea',
  'Ingrid',
  'Kaja',
  'Łucja',
  'Mireille',
  'Noor',
  'Oksana',
  'Priya',
  'Søren',
  'Tomás',
  'Yuto',
];
const LAST = [
  'Alvestad',
  'Bramwell',
  'Ćosić',
  'Drumaine',
  'Elkind',
  'Fjeld',
  'Garreau',
  'Hollis',
  'Ivarsson',
  'Jelinek',
  'Kōda',
  'Lindgren',
];

/** `Ana Alvestad`; other spellings: `Alvestad, Ana`, `A. Alvestad`. */
export const playersOf = (from: number, count: number): readonly (readonly string[])[] =>
  Array.from({ length: count }, (_, i) => {
    const first = FIRST[(from + i) % FIRST.length]!;
    const last = LAST[(from + 5 * i) % LAST.length]!;
    return [`${first} ${last}`, `${last}, ${first}`, `${first[0]}. ${last}`];
  });
