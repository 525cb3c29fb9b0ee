// Which ended alerts wait again: one condition for the pass that opens them and for the page that says so.
import { shownOn } from '../../reads/races/shown';

/** Over `price_alerts a` and `races r`. A race comes back when its jump or its end was a mistake, or it is put off. */
export const comesBack = (raceAt: string): string => `
  a.ended_at IS NOT NULL AND a.reopens AND r.left_board_at IS NULL AND ${shownOn('board', 'r', raceAt)}
     AND EXISTS (SELECT FROM race_runners u
                  WHERE u.race_id = a.race_id AND u.runner_key = a.runner_key AND NOT u.scratched)`;
