// Writes Temporal's own log lines to our log.
import type { Logger, LogLevel, LogMetadata } from '@temporalio/worker';
import type { Log } from '../log';

export function runtimeLog(log: Log): Logger {
  const write = (level: LogLevel, message: string, meta?: LogMetadata) => {
    log[isByDesign(message) ? 'debug' : LEVELS[level]]({ ...meta }, message);
  };
  return {
    log: write,
    trace: (message, meta) => write('TRACE', message, meta),
    debug: (message, meta) => write('DEBUG', message, meta),
    info: (message, meta) => write('INFO', message, meta),
    warn: (message, meta) => write('WARN', message, meta),
    error: (message, meta) => write('ERROR', message, meta),
  };
}

/** Each worker here runs one kind of task only, which Temporal warns about. */
const isByDesign = (message: string): boolean => /^No (activities|workflows) registered/.test(message);

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
