import { createTopaz } from '../../../src/feeds/topaz/fetch';
import { testResultsRegistry } from '../results-registry';
import { KEY, meetingRow, out, race, ran, reserve, results, unplaced } from './replies';

const RACES = [
  race([
    ran(1, 2),
    ran(2, 1),
    ran(3, 2),
    ran(4, 4),
    unplaced(5, 'Fell'),
    out(6),
    reserve(9),
    ran(10, 5, { boxNumber: 6 }),
  ]),
  race([ran(1, 1), ran(2, 2), out(7, { isLateScratching: true })], { raceNumber: 1, raceId: 1 }),
];

testResultsRegistry({
  name: 'Topaz',
  create: (endpoint, now) =>
    createTopaz({ endpoint: { ...endpoint, settings: { api_key: 'mine' } }, now, wait: async () => undefined }),
  answers: (url) => {
    const isList = url.startsWith('/meeting?');
    return { body: JSON.stringify(isList ? [meetingRow(), meetingRow({ isQuali: true })] : results(RACES)) };
  },
  listing: { key: KEY, day: '2026-11-21', region: 'VIC', venue: 'Meadows (MEP)' },
  refPrefix: 'grv:',
  emptyListIs404: true,
});
