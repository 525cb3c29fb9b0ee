import { runnerRefOf } from '../../../src/domain/registry/registry';

test('A 2.1: an entry is `ra:` and its horse code; without a code there is none', () => {
  expect([runnerRefOf('1234'), runnerRefOf(null)]).toEqual(['ra:1234', null]);
});
