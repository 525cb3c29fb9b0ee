// The past of the simulated day, as far as it is there: a claim on the screen has its check mark only if the command states what it promises.
// Without a past the service runs all the same.
import { Problem } from '../command/problem.mjs';

const claims = [
  ['first-hour', 'The first races have their last hour'],
  ['past-days', 'Three past days are archived'],
];

/** `operate`: runs an operator's command and resolves to its last line. */
export async function fillPast({ progress, signal }, operate) {
  for (const [name, claim] of claims) await progress.claim(claim, () => whyNot(() => operate(name), signal));
}

async function whyNot(operate, signal) {
  try {
    const line = await operate();
    return line.startsWith('note: ') ? sentence(line.slice('note: '.length)) : null;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Problem)) throw error;
    return error.message;
  }
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;
