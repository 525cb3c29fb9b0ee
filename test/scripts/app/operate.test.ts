const { operate } = require('../../../scripts/app/operate.mjs') as {
  operate(instance: { root: string; read(): object; owner(): object | null }, args: string[]): number;
};

test('an operator’s command needs a running stack: addresses recorded by an earlier run are not used', () => {
  const left = { urls: { api_url: 'http://127.0.0.1:8080' } };
  expect(() => operate({ root: process.cwd(), read: () => left, owner: () => null }, ['migrate'])).toThrow(
    'Nothing is running',
  );
});
