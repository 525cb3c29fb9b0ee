// The name of a refusal as people read it.
import { type ErrorCode, PROBLEMS } from '../../../errors';

/** The title of the problem. A code of a release that has gone is shown itself. */
export const problemTitle = (code: string): string => PROBLEMS[code as ErrorCode]?.title ?? code;
