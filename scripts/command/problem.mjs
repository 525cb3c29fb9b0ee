// A failure that is reported to a person in one sentence, with the command's exit code.
// Every other error becomes one at the edge (`asProblem`); a stack trace is never shown by default.
export class Problem extends Error {
  constructor(sentence, exitCode = 1) {
    super(sentence);
    this.name = 'Problem';
    this.exitCode = exitCode;
  }
}

const sentences = {
  ENOENT: ({ syscall, path }) =>
    syscall?.startsWith('spawn ') ? `The program ${path} is missing: install it, or put it on PATH.` : undefined,
  ENOSPC: (error) => `The disk is full (${error.path ?? error.syscall}): free some space and start again.`,
  EACCES: (error) =>
    `This user may not use ${error.path ?? error.syscall}: change its owner or run as the user that owns it.`,
  EPERM: (error) =>
    `This user may not use ${error.path ?? error.syscall}: change its owner or run as the user that owns it.`,
  EROFS: (error) => `${error.path ?? 'The folder'} is read-only: work in a folder that can be written to.`,
};

export function asProblem(error) {
  if (error instanceof Problem) return error;
  const sentence = sentences[error?.code]?.(error);
  return new Problem(sentence ?? `Something unexpected went wrong: ${error?.message ?? error}`);
}
