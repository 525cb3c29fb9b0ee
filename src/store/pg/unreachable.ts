// Whether an error means that the database could not be reached, or was going down or coming up: the query was not sent, or its result is
// unknown. Any other error is a defect of ours.

/** SQLSTATE 08: connection exceptions; 57P01 to 57P03: the server ends, has crashed, or does not take connections yet. */
const STATES = /^(08...|57P0[123])$/;
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);
/** Errors for which `pg` has no code. */
const MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

export function isUnreachable(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return NETWORK.has(code) || STATES.test(code);
  return typeof message === 'string' && MESSAGES.test(message);
}
