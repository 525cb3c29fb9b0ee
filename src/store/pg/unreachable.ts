// Whether an error says that the database could not be reached, or was on its way down or up: nothing was asked of it, or nothing is
// known of the answer. Anything else is a fault of ours.

/** SQLSTATE 08: connection exceptions; 57P01 to 57P03: the server ends, has crashed, or does not take connections yet. */
const STATES = /^(08...|57P0[123])$/;
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);
/** `pg` has no codes for these. */
const WORDS = /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

export function isUnreachable(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return NETWORK.has(code) || STATES.test(code);
  return typeof message === 'string' && WORDS.test(message);
}
