// The market's movement on a runner, in a punter's terms: the signal of A 2.6 rule 4 and the book that moved first. It
// describes what happened and predicts nothing.

import type { Undetermined } from '../../domain/market/intelligence/first-mover';
import type { Signal } from '../../domain/market/intelligence/signal';
import type { RunnerHour, RunnerRow } from '../board/model';
import { percentText, priceText } from '../format';
import { type Html, html } from '../html';
import { clockAt } from '../race-parts';

/** CSS classes by signal; a strong one is bold as well. */
const DIRECTIONS: Readonly<Record<Signal, string>> = {
  strong_firm: ' is-firming strong',
  firm: ' is-firming',
  steady: '',
  drift: ' is-drifting',
  strong_drift: ' is-drifting strong',
  insufficient: '',
};

export const directionOf = (signal: Signal): string => DIRECTIONS[signal];

/** `firming 20%`, if the signal is one. */
export function signalTag({ signal, movePct }: RunnerHour): Html | null {
  if (movePct === null || DIRECTIONS[signal] === '') return null;
  return html`<span class="signal${DIRECTIONS[signal]}">${movePct < 0 ? 'firming' : 'drifting'} ${percentText(Math.abs(movePct), 0)}</span>`;
}

/** `Firming: consensus 5.20 from 6.50 at an hour out, 9 of 12 books.` */
export function signalSentence({ consensus }: Pick<RunnerRow, 'consensus'>, hour: RunnerHour): Html {
  const { from, movePct } = hour;
  if (consensus === null) return html`No consensus: too few books price the whole field.`;
  if (from === null || movePct === null) return html`No consensus from an hour out to compare with.`;
  const prices = html`consensus <b>${priceText(consensus.price)}</b> from <b>${priceText(from)}</b> at an hour out`;
  return html`<span class="verdict${DIRECTIONS[hour.signal]}">${VERDICTS[hour.signal]}</span>: ${prices}, ${booksMoved(hour)}.`;
}

const VERDICTS: Readonly<Record<Signal, string>> = {
  strong_firm: 'Firming strongly',
  firm: 'Firming',
  steady: 'Steady',
  drift: 'Drifting',
  strong_drift: 'Drifting strongly',
  insufficient: 'Too few books to tell',
};

/** Books that moved in the consensus's direction. */
function booksMoved({ signal, movePct, firming, drifting, withHistory }: RunnerHour): string {
  const shorter = movePct! < 0;
  const moved = `${shorter ? firming : drifting} of ${withHistory} books`;
  return DIRECTIONS[signal] === '' ? `${moved} ${shorter ? 'shorter' : 'longer'}` : moved;
}

const UNDETERMINED: Readonly<Record<Undetermined, string | null>> = {
  no_move: null,
  too_few_books: 'not determined, fewer than two books moved 5%',
  inside_floor: 'not determined, two books moved within 30 s',
};

/** `First to move: Ladbrokes, 42 s ahead of Neds.`; nothing if nothing moved. */
export function firstMoverSentence({ firstMover, signal }: RunnerHour): Html | null {
  if (firstMover.status === 'attributed') {
    const { book, atMs, leadSeconds, next } = firstMover;
    return html`First to move: <b>${book}</b> at ${clockAt(atMs)}, ${leadText(leadSeconds)} ahead of ${next}.`;
  }
  const reason = UNDETERMINED[firstMover.reason];
  if (reason === null || DIRECTIONS[signal] === '') return null;
  return html`First to move: ${reason}.`;
}

const leadText = (seconds: number): string =>
  seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
