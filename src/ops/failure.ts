// What an operator reads when a command fails: one sentence, never a stack and never PostgreSQL's own text.
import { type Config, ConfigError } from '../config';
import { WrongAddress } from '../store/pg/sessions/direct';
import { isUnreachable } from '../store/pg/unreachable';
import { Mistake, NotRun } from './command';

interface Failure {
  readonly code: 1 | 2 | 3;
  readonly sentence: string;
}

/** How to fix an error that PostgreSQL reports, by SQLSTATE. */
const REFUSED: Readonly<Record<string, string>> = {
  '28P01': 'The database refuses the user or the password of DATABASE_URL.',
  '28000': 'The database refuses the user of DATABASE_URL.',
  '3D000': 'The server of DATABASE_URL has no such database.',
  '55P03': 'A process that writes secrets did not end in time: run the command again.',
  '42501': 'The user of DATABASE_URL may not do this: use the owner of the database.',
  '42P01': 'The schema of the database is older than this command: run migrate first.',
  '42703': 'The schema of the database is older than this command: run migrate first.',
  '42883': 'The schema of the database is older than this command: run migrate first.',
};

/** `config` null: the settings were not read. */
export function failureOf(error: unknown, config: Config | null): Failure {
  if (error instanceof NotRun) return { code: 3, sentence: error.message };
  if (error instanceof WrongAddress) return { code: 2, sentence: `${error.message}.` };
  if (error instanceof Mistake) return { code: 2, sentence: error.message };
  if (error instanceof ConfigError) return { code: 2, sentence: `${error.message}.`.replace(/([.?])\.$/, '$1') };
  const setting = isDirect(config) ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  if (isUnreachable(error)) return { code: 2, sentence: `${unreachable(config)}: check ${setting}.` };
  const { code, severity, message } = (error ?? {}) as { code?: string; severity?: string; message?: string };
  if (severity === undefined) return { code: 1, sentence: message || String(error) };
  const known = REFUSED[code ?? ''];
  if (known !== undefined) return { code: 2, sentence: known.replace('DATABASE_URL', setting) };
  return { code: 1, sentence: `The database refused the command (SQLSTATE ${code}).` };
}

/** Commands go past a pooler. */
const isDirect = (config: Config | null): boolean => config !== null && config.databaseDirectUrl !== config.databaseUrl;

function unreachable(config: Config | null): string {
  const { hostname, port } = URL.parse(config?.databaseDirectUrl ?? '') ?? { hostname: '', port: '' };
  return `The database at ${hostname || 'its socket'}:${port || 5432} does not answer`;
}
