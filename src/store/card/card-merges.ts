// Cards of one race that change together, as those of all its books do when it goes live, are merged in one
// transaction: each would wait for the race's row and write the same field again. Those that come while one is under
// way go with the next. Races do not wait for each other.
import type { Pool } from 'pg';
import { inBatches } from '../pg/in-batches';
import { isUnreachable } from '../pg/unreachable';
import { type CardReport, type SavedCards, saveBookCards } from './book-cards';
import { stampMeeting } from './condition-stamp';

/** Resolves to false if a newer holder or a newer reply came first: nothing was written. */
export type MergeCard = (report: CardReport) => Promise<boolean>;

/** More than a race has books. */
const ONE_AT_A_TIME = { lanes: 1, most: 50 };

export function createCardMerges(pool: Pool): MergeCard {
  const races = new Map<string, { readonly merge: MergeCard; open: number }>();
  return async (report) => {
    const { raceId } = report.poll;
    const race = races.get(raceId) ?? {
      merge: inBatches((reports: readonly CardReport[]) => saveAndStamp(pool, reports), ONE_AT_A_TIME),
      open: 0,
    };
    races.set(raceId, race);
    race.open += 1;
    try {
      return await race.merge(report);
    } finally {
      race.open -= 1;
      if (race.open === 0) races.delete(raceId);
    }
  };
}

async function saveAndStamp(pool: Pool, reports: readonly CardReport[]): Promise<(boolean | Error)[]> {
  const saved = await saveEach(pool, reports);
  for (const each of saved)
    if (!(each instanceof Error) && each.moved) await stampMeeting(pool, each.moved.meeting, each.moved.at);
  return saved.flatMap<boolean | Error>((each) => (each instanceof Error ? [each] : each.isWritten));
}

/** If several fail together each is saved by itself: none fails because of another. */
async function saveEach(pool: Pool, reports: readonly CardReport[]): Promise<(SavedCards | Error)[]> {
  try {
    return [await saveBookCards(pool, reports)];
  } catch (error) {
    if (reports.length === 1 || isUnreachable(error)) throw error;
  }
  const saved: (SavedCards | Error)[] = [];
  for (const report of reports) saved.push(await saveBookCards(pool, [report]).catch((error: Error) => error));
  return saved;
}
