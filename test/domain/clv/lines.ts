// Closes to score against, made in memory: a test states only the values that it is about.
import type { BookClose } from '../../../src/domain/clv/runner-closes';

/** A close seen this many seconds before the jump. */
export const bookClose = (bookmaker: string, closePrice: number, closeSecsToJump = 5): BookClose => ({
  bookmaker,
  closePrice,
  closeSecsToJump,
  isClosingLine: closeSecsToJump <= 300,
});
