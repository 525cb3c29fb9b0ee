// Whether an error means that the database could not be reached, did not answer in time, or was going down, coming up
// or a standby: the query was not sent, or its result is unknown. Any other error is a defect of ours.

/**
 * SQLSTATE 08: connection exceptions; 57014: the statement took too long; 57P01 to 57P03: the server ends, has crashed,
 * or does not take connections yet; 25006: it has become a standby, so the address now leads to another server.
 */
const STATES = /^(08...|25006|57014|57P0[123])$/;
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);
/** Errors for which `pg` has no code. */
const MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/;

/** A batch of requests (`inBatches`) that was not answered in time. */
export class NoReplyError extends Error {
  override readonly name = 'NoReplyError';
}

/**
 * Refused connections, a host without an address, a server that takes no connections yet; a statement that the server
 * ended or cannot run.
 */
const NOT_DONE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', '57P03', '57014', '25006']);

/** For an unreachable database: whether the statement may still have been carried out. */
export function mayBeDone(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && NOT_DONE.has(code)) return false;
  return isUnreachable(error) && !/timeout exceeded when trying to connect/.test(String(message));
}

export function isUnreachable(error: unknown): boolean {
  if (error instanceof NoReplyError) return true;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return NETWORK.has(code) || STATES.test(code);
  return typeof message === 'string' && MESSAGES.test(message);
}
