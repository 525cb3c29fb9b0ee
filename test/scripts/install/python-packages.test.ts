const { findPython, isEnough } = require('../../../scripts/install/python-packages.mjs') as {
  findPython(env: Record<string, string>): string | null;
  isEnough(version: string | null): boolean;
};

test.each([
  ['3.11', true],
  ['3.14', true],
  ['4.0', true],
  ['3.10', false],
  ['2.7', false],
  ['', false],
  [null, false],
])('Python %s is enough: %s', (version, enough) => {
  expect(isEnough(version)).toBe(enough);
});

test.each<Record<string, string>>([{ PATH: '' }, { PYTHON: '/bin/false' }, { PYTHON: '/nowhere' }])(
  'there is no Python in %j',
  (env) => {
    expect(findPython(env)).toBeNull();
  },
);
