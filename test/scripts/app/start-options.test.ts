interface Options {
  fresh: boolean;
  help: boolean;
  speed: number;
  ports: Record<string, number>;
}
const { parseStartOptions } = require('../../../scripts/app/start-options.mjs') as {
  parseStartOptions(args: string[], env: Record<string, string>): Options;
};
const { startPorts } = require('../../../scripts/app/start-ports.mjs') as {
  startPorts(env: Record<string, string>, chosen?: Record<string, number>): Record<string, number>;
};

test('without arguments the defaults apply', () => {
  expect(parseStartOptions([], {})).toEqual({ fresh: false, help: false, speed: 1, ports: {} });
  expect(startPorts({})).toEqual({
    api: 8080,
    worker: 8081,
    apiMetrics: 8082,
    sdkMetrics: 8083,
    simulator: 8090,
    ui: 8233,
    temporal: 7233,
    postgres: 15432,
    redis: 16379,
  });
});

test('arguments win over the environment, the environment over the defaults', () => {
  const options = parseStartOptions(['--fresh', '--speed', '60', '--port', '9000'], { CLOCK_SPEED: '2' });
  expect(options).toEqual({ fresh: true, help: false, speed: 60, ports: { api: 9000 } });
  const ports = startPorts({ API_PORT: '9001', REDIS_PORT: '9002' }, options.ports);
  expect([ports.api, ports.redis]).toEqual([9000, 9002]);
});

test.each([
  [['--frsh'], "Unknown option '--frsh': see npm start -- --help."],
  [['--speed', '0'], '--speed is "0": give a number above 0.'],
  [['--port', '70000'], '--port is "70000", which is no port: give a number from 1 to 65535.'],
])('%j is refused in one sentence', (args, sentence) => {
  expect(() => parseStartOptions(args, {})).toThrow(sentence);
});

test('a port variable that is not a port is named', () => {
  expect(() => startPorts({ REDIS_PORT: 'x' })).toThrow('REDIS_PORT is "x", which is no port');
});
