// A record of starts as text. Few starts say nothing about a share: it is given from ten on.
import type { RunStats } from '../../../domain/form/run-stats';
import { percentText } from '../../format';
import { counted } from '../words';

const STARTS_FOR_SHARE = 10;

/** `12 starts since Sat 21 Nov, 3 wins (25%), 5 places (42%)`; `1 start since Sat 21 Nov, 0 wins, 1 place`. */
export function recordText({ starts, wins, places, winPct, placePct }: RunStats, since: string): string {
  const share = (pct: number | null): string => (starts < STARTS_FOR_SHARE ? '' : ` (${percentText(pct, 0)})`);
  const won = `, ${counted(wins, 'win')}${share(winPct)}, ${counted(places, 'place')}${share(placePct)}`;
  return `${counted(starts, 'start')} since ${since}${starts > 0 ? won : ''}`;
}
