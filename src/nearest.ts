// Suggestions for a mistyped name: the valid names that differ from it by few letters. Limited in work, because
// strangers supply the name.
import { distance } from 'fastest-levenshtein';

/** Longer texts are not mistyped names. */
const LONGEST = 60;
const MOST_NAMES = 300;
const MOST_SUGGESTIONS = 2;
const SHARE_WRONG = 0.3;

/** The nearest, at most two that are equally near; none if all are far. Capitals, `-` and `_` count for nothing. */
export function nearest(sent: string, valid: readonly string[]): readonly string[] {
  const name = plain(sent);
  if (name === '' || sent.length > LONGEST) return [];
  const within = Math.max(1, Math.floor(name.length * SHARE_WRONG));
  const near = valid
    .slice(0, MOST_NAMES)
    .filter((one) => Math.abs(plain(one).length - name.length) <= within)
    .map((one) => ({ one, away: distance(name, plain(one)) }))
    .filter(({ away }) => away <= within)
    .sort((a, b) => a.away - b.away);
  return near
    .filter(({ away }) => away === near[0]!.away)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ one }) => one);
}

const plain = (text: string): string => text.toLowerCase().replace(/[-_]/g, '');

/** ` Did you mean num_races?`, for the end of a sentence; empty if nothing is near. */
export function didYouMean(sent: string | readonly string[], valid: readonly string[]): string {
  const names = [sent].flat().slice(0, MOST_SUGGESTIONS);
  const near = [...new Set(names.flatMap((name) => nearest(name, valid)))];
  return near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
}
