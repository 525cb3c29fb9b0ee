import { betslipUrl, ENTAIN_ROUTE, TAB_ROUTE, unknownNames } from '../../../src/domain/prices/betslip';

const runner = {
  sourceUrl: 'https://www.ladbrokes.com.au/racing/geelong/e1',
  sourceRaceId: 'R/1',
  number: 7,
  runnerId: { win: 'a1', place: 'b2' },
};

test('the documented deep link of Entain, per market', () => {
  const link = (market: 'win' | 'place') => betslipUrl(ENTAIN_ROUTE.template!, ENTAIN_ROUTE, runner, market);
  expect(link('win')).toBe('https://www.ladbrokes.com.au/racing/geelong/e1/a1/fw');
  expect(link('place')).toBe('https://www.ladbrokes.com.au/racing/geelong/e1/b2/fp');
});

test('a route that names the runner alone has one URL for both markets', () => {
  const template = 'https://tab.example/{race}/{runner}/{number}/{market}';
  const links = (['win', 'place'] as const).map((market) => betslipUrl(template, TAB_ROUTE, runner, market));
  expect(links).toEqual(['https://tab.example/R%2F1/a1/7/win', 'https://tab.example/R%2F1/a1/7/win']);
});

test('a missing part of a link is never invented: there is no link', () => {
  const unsaid = { ...runner, sourceUrl: null, runnerId: { win: null, place: 'b2' } };
  expect(betslipUrl('{source_url}/{number}', TAB_ROUTE, unsaid, 'win')).toBeNull();
  expect(betslipUrl('https://x.example/{runner}', ENTAIN_ROUTE, unsaid, 'win')).toBeNull();
  expect(betslipUrl('https://x.example/{runner}', ENTAIN_ROUTE, unsaid, 'place')).toBe('https://x.example/b2');
});

test('a placeholder that no link has is reported by name', () => {
  expect(unknownNames('https://x.example/{race}/{horse}')).toEqual(['horse']);
});
