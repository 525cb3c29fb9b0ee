// An operator reads the reason that customers do not.
import { AppError } from '../../errors';

export const plainError = (error: unknown): unknown =>
  error instanceof AppError && error.cause instanceof Error ? error.cause : error;
