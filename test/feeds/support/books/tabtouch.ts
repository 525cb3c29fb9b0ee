// TABtouch in the conformance suite: a JSON list without starts or countries, a page for a race.
import { TABTOUCH_HOOKS, type TabTouchNextRace } from '../../../../src/feeds/tabtouch/payload';
import { type Abroad, always, type Book, DAY, FACTS, type PlainRunner, page } from '../book';

const next = (meetingId: string, venue: string, number: number): TabTouchNextRace => ({
  meetingId,
  groundDescription: `${venue}, Good 4`,
  url: `/racing/${DAY}/${meetingId.toLowerCase()}/${number}`,
  isRaces: true,
  isTrots: false,
  isDogs: false,
  hasSpecialOffer: false,
});

export const tabTouchList = (more: readonly unknown[] = [], abroad: readonly Abroad[] = []): readonly unknown[] => [
  next('FLE', 'Flemington', 1),
  next('FLE', 'Flemington', 2),
  ...more,
  ...abroad.map(({ venue }, i) => next(`OR${i}`, venue, 1)),
];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export interface PagePart {
  readonly state?: string | null;
  readonly raceNumber?: number;
  /** As in the table; absent: those of the runners. */
  readonly starters?: readonly object[];
  readonly model?: string;
}

/** The first runner is the favourite: its label directly follows its price. */
export function tabTouchPage(runners: readonly PlainRunner[], part: PagePart = {}): string {
  const { state = 'Dividends as at: 11:59:30', raceNumber = 1 } = part;
  const starters =
    part.starters ??
    runners.map(({ win }) => ({ fixedWinDiv: win ?? null, fixedPlaceDiv: FACTS.place, unknownKey: '};' }));
  const model =
    part.model ??
    JSON.stringify({
      pool: {
        legs: [
          { raceNumber: 9, starters: [] },
          { raceNumber, starters },
        ],
      },
    });
  const rows = runners.map(({ name, win }, i) => {
    const label = i === 0 && typeof win === 'number' ? '<b>Favourite</b>' : '';
    const price = win === undefined ? '' : `<td class="fixed win"><i class="dividend">${label}${win ?? '-'}</i></td>`;
    return `<tr><td class="acceptor"> ${escaped(name)}\n</td>${price}<td class="tote win"><i class="dividend">99</i></td></tr>`;
  });
  return `<!DOCTYPE html><html><head><title>Flemington Race 1</title></head><body>
    ${state === null ? '' : `<p class="${TABTOUCH_HOOKS.state.slice(1)}">${state}</p>`}
    <table><tbody>${rows.join('')}</tbody></table>
    <script>var model = ${model};\nko.applyBindings(model);</script></body></html>`;
}

export const tabtouch: Book = {
  key: 'tabtouch',
  sourceRaceId: `${DAY}/fle/1`,
  listPaths: ['/api/raceinfo/nextraces'],
  racePaths: [`/racing/${DAY}/fle/1`],
  stamped: false,
  lacks: new Set([
    'runnerNumber',
    'listStart',
    'past',
    'everyPlace',
    'country',
    'start',
    'scratchings',
    'barrier',
    'jockey',
    'trainer',
    'weight',
    'form',
    'tote',
  ]),
  list: (more, abroad) => always(tabTouchList(more, abroad)),
  race: (runners) => page(tabTouchPage(runners)),
  decorate: (body) =>
    body.startsWith('[')
      ? body.replaceAll('{', '{"brandNewField":{"deep":[1,null]},')
      : body
          .replaceAll('<td class="acceptor">', '<td class="brand-new">?</td><td class="acceptor new">')
          .replaceAll('{"fixedWinDiv"', '{"brandNewField":{"deep":[1,null]},"fixedWinDiv"'),
};
