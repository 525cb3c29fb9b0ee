// The options of `npm start --`. An unknown argument is refused, because a mistyped --fresh must not pass as a plain
// start.
import { parseArgs } from 'node:util';
import { Problem } from '../command/problem.mjs';
import { portFrom } from './start-ports.mjs';

export const startHelp = `npm start -- [options]

  --fresh      start over: remove the data of the local servers first
  --speed N    let the clock of the simulated world run N times as fast (default 1)
  --port N     the port of the API (default 8080, or API_PORT)
  --help       this text

Other ports are set by WORKER_HEALTH_PORT, API_METRICS_PORT, WORKER_SDK_METRICS_PORT, SIMULATOR_PORT, TEMPORAL_UI_PORT,
TEMPORAL_PORT, POSTGRES_PORT and REDIS_PORT.
A server that DATABASE_URL, REDIS_URL or TEMPORAL_ADDRESS names is used as it is.

Exit codes: 130 stopped by Ctrl-C · 1 failed.`;

export function parseStartOptions(args, env) {
  const { fresh, help, speed, port } = parsed(args);
  return {
    fresh,
    help,
    speed: speedFrom(speed ?? (env.CLOCK_SPEED || '1')),
    ports: port === undefined ? {} : { api: portFrom('--port', port) },
  };
}

function parsed(args) {
  try {
    return parseArgs({
      args,
      options: {
        fresh: { type: 'boolean', default: false },
        speed: { type: 'string' },
        port: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new Problem(`${error.message.split('. ')[0]}: see npm start -- --help.`);
  }
}

function speedFrom(text) {
  const speed = Number(text);
  if (Number.isFinite(speed) && speed > 0) return speed;
  throw new Problem(`--speed is "${text}": give a number above 0.`);
}
