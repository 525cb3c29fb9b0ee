// A failure as one sentence that says what to do, and the code with which the process ends. Never: the key.
import { ApiError, ConnectionError, OddsError } from '../../../typescript/src/index.ts';
import { plain } from '../text/plain.ts';
import { Interrupted, ReaderGone } from './io.ts';

export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** The command line is wrong, or the environment. */
export class UsageError extends Error {}

/** The command ends because of what the service or a file has: its text is for people. */
export class CommandError extends Error {}

export interface Failure {
  readonly exitCode: number;
  /** Null: the process ends quietly. */
  readonly text: string | null;
}

export function failureOf(error: unknown, env: Readonly<Record<string, string | undefined>>): Failure {
  if (error instanceof ReaderGone) return { exitCode: EXIT.done, text: null };
  if (error instanceof Interrupted) return { exitCode: error.exitCode, text: null };
  const exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failed;
  return { exitCode, text: withoutKey(plain(sentenceOf(error)), env) };
}

/** Whatever a text is made of: the key is not in it. */
export function withoutKey(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const key = env.ODDS_API_KEY?.trim();
  return key ? text.replaceAll(key, '…') : text;
}

function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return [error.detail, ...partsOf(error), adviceOf(error)].filter(Boolean).join(' ');
  if (error instanceof ConnectionError)
    return `The service does not answer${causeOf(error)}. Check ODDS_API_URL and your network, and try again.`;
  if (error instanceof OddsError || error instanceof UsageError || error instanceof CommandError) return error.message;
  if (error instanceof Error && 'code' in error && 'syscall' in error) return `${error.message}.`;
  return error instanceof Error ? `Unexpected: ${error.message}` : 'Unexpected failure.';
}

/** Parts whose text the detail does not have already. */
const partsOf = ({ errors, detail }: ApiError): string[] =>
  errors.map(({ detail: text }) => text).filter((text) => !detail.includes(text));

function adviceOf({ status, requiredPlan, retryAfterSeconds, requestId }: ApiError): string {
  const named = requestId === null ? '' : ` (Request ${requestId}.)`;
  if (status === 401) return 'Set ODDS_API_KEY to a key of your account.';
  if (status === 402) return '`odds usage` shows what is left, and when the next month begins.';
  if (status === 403 && requiredPlan !== null) return `The plan that allows it: ${requiredPlan}.`;
  if (status === 429) return `Try again in ${retryAfterSeconds ?? 60} seconds.`;
  return status >= 500 ? `Try again later.${named}` : '';
}

function causeOf({ cause }: ConnectionError): string {
  for (let one = cause as NodeJS.ErrnoException | undefined; one; one = one.cause as typeof one)
    if (typeof one.code === 'string') return ` (${one.code})`;
  return '';
}
