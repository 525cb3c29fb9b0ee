// One JSON line per event, to standard output. Never logs a key, a URL's password or a price.
import { types } from 'node:util';
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';

export type Log = Logger;

/**
 * The process's logger; `name` is the process (`api`, `worker`, …). The result of `context` goes into every line. An
 * error is written with its message, stack and causes under any key. `to`: default standard output.
 */
export function createLog(
  name: string,
  level: string,
  context: () => object = () => ({}),
  to: DestinationStream = pino.destination(1),
): Log {
  const options: LoggerOptions = {
    name,
    level,
    mixin: context,
    formatters: { log: withErrors },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        '*.password',
        '*.apiKey',
        '*.databaseUrl',
        '*.databaseDirectUrl',
        '*.redisUrl',
        '*.secretKey',
        '*.webhookSecret',
        'req.headers["x-api-key"]',
      ],
      remove: true,
    },
  };
  return pino(options, to);
}

/** As JSON an error is `{}`: nothing of it is enumerable. Pino itself writes only those under `err`. */
function withErrors(fields: Record<string, unknown>): Record<string, unknown> {
  const errors = Object.entries(fields).filter(([key, value]) => key !== 'err' && types.isNativeError(value));
  if (errors.length === 0) return fields;
  const written = errors.map(([key, error]) => [key, pino.stdSerializers.err(error as Error)]);
  return { ...fields, ...Object.fromEntries(written) };
}
