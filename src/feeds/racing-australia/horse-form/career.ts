// The career cell: `Summary: 25-1:5:5 Prizemoney: $123,456 1st Up: 3:0-1-0 2nd Up: …`.
import { CAREER_SPLITS, type HorseCareer, type PlacingRecord } from '../../../domain/form/horse-form';
import { winningsOf } from '../../reading/read';
import { SPLITS } from './selectors';

/** Null without a summary. */
export function readCareer(text: string): HorseCareer | null {
  const summary = recordOf(/Summary:\s*(\d+)-(\d+):(\d+):(\d+)/i.exec(text));
  if (!summary) return null;
  const splits = CAREER_SPLITS.flatMap((split) => {
    const label = SPLITS[split].replace('/', '\\/');
    const record = recordOf(new RegExp(`(?:^|[^/\\w])${label}:\\s*(\\d+):(\\d+)-(\\d+)-(\\d+)`, 'i').exec(text));
    return record ? [[split, record] as const] : [];
  });
  const [, prizemoney] = /Prize\s?money:\s*(\$[\d,.]+)/i.exec(text) ?? [];
  return { ...summary, prizemoney: winningsOf(prizemoney), splits: Object.fromEntries(splits) };
}

function recordOf(match: RegExpExecArray | null): PlacingRecord | null {
  if (!match) return null;
  const [starts = 0, wins = 0, seconds = 0, thirds = 0] = match.slice(1).map(Number);
  return { starts, wins, seconds, thirds };
}
