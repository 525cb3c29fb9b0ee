// One JSON line per event, to standard output. Never logs a key, a URL's password or a price.
import pino, { type Logger } from 'pino';

export type Log = Logger;

/** The process's logger; `name` is the process (`api`, `worker`, …). What `context` returns goes into every line. */
export function createLog(name: string, level: string, context: () => object = () => ({})): Log {
  return pino({
    name,
    level,
    mixin: context,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        '*.password',
        '*.apiKey',
        '*.databaseUrl',
        '*.redisUrl',
        '*.secretKey',
        '*.webhookSecret',
        'req.headers["x-api-key"]',
      ],
      remove: true,
    },
  });
}
