// The archive of each race of the year: recorded on the morning after its day, with as many prices as its polls had
// stored, and compared at the end, when its ticks are long gone.
import type { Pool } from 'pg';
import type { Customer } from '../customer';

/** For visible and withheld prices: what a later result must not change. */
const rowsOf = (of: string): string => `
  SELECT count(*) AS n, md5(string_agg(line, ';' ORDER BY line COLLATE "C")) AS sum
    FROM (SELECT t::text AS line FROM archived_${of} t WHERE race_id = $1 UNION ALL SELECT t::text FROM withheld_${of} t WHERE race_id = $1) l`;
const PATHS = rowsOf('price_paths');
const LINES = rowsOf('closing_lines');
const OUTCOME = 'SELECT outcome FROM archived_races WHERE race_id = $1';
const KEPT =
  'SELECT (SELECT count(*) FROM kept_ticks) + (SELECT count(*) FROM kept_breaks) + (SELECT count(*) FROM kept_gaps) AS kept';
const SHOWN = `
  SELECT race_id AS id, count(*) AS n FROM archived_price_paths GROUP BY 1 ORDER BY min(start_time), 1`;

interface Summed {
  readonly n: number;
  readonly sum: string | null;
}

export interface Archives {
  readonly noted: number;
  readonly abandoned: number;
  /** A race has ended, with this many ticks. */
  lived(raceId: string, ticks: number): void;
  /** For races that are over but not recorded: sentences about what is missing. */
  note(): Promise<readonly string[]>;
  /** Compares them with what was recorded, and reads every race from the API. */
  compare(customer: Customer): Promise<readonly string[]>;
}

export function openArchives(owner: Pool): Archives {
  const ticksOf = new Map<string, number>();
  const noted = new Map<string, string>();
  let abandoned = 0;
  const sums = async (raceId: string): Promise<readonly [Summed, Summed]> => {
    const [paths, lines] = [await owner.query<Summed>(PATHS, [raceId]), await owner.query<Summed>(LINES, [raceId])];
    return [paths.rows[0]!, lines.rows[0]!];
  };
  return {
    get noted() {
      return noted.size;
    },
    get abandoned() {
      return abandoned;
    },
    lived: (raceId, ticks) => void ticksOf.set(raceId, ticks),
    async note() {
      const found: string[] = [];
      for (const [raceId, ticks] of ticksOf) {
        const [paths, lines] = await sums(raceId);
        noted.set(raceId, `${paths.sum} ${lines.sum}`);
        if (paths.n !== ticks) found.push(`race ${raceId}: ${ticks} ticks were stored, ${paths.n} are archived`);
        const outcome = (await owner.query<{ outcome: string }>(OUTCOME, [raceId])).rows[0]?.outcome ?? 'no archive';
        if (outcome === 'abandoned') abandoned += 1;
        else if (outcome !== 'closed' || lines.n === 0)
          found.push(`race ${raceId} has ${lines.n} closing lines: ${outcome}`);
      }
      ticksOf.clear();
      return found;
    },
    async compare(customer) {
      const found: string[] = [];
      for (const [raceId, before] of noted) {
        const [paths, lines] = await sums(raceId);
        if (`${paths.sum} ${lines.sum}` !== before) found.push(`the archive of race ${raceId} is another than it was`);
      }
      const { kept } = (await owner.query<{ kept: number }>(KEPT)).rows[0]!;
      if (kept > 0)
        found.push(`${kept} ticks and breaks are kept, because their archive had a gap when their day went`);
      for (const { id, n } of (await owner.query<{ id: string; n: number }>(SHOWN)).rows) {
        const shown = await pointsOf(customer, id);
        if (shown !== n) found.push(`the API shows ${shown} of the ${n} archived prices of race ${id}`);
      }
      return found;
    },
  };
}

interface History {
  readonly points_returned: number;
}

async function pointsOf(customer: Customer, raceId: string): Promise<number> {
  const { body } = await customer.get(`/v1/racing/price-history?race_id=${raceId}`);
  return (body as History).points_returned;
}
