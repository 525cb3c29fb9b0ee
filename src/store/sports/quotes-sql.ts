// The statements that write the prices of a push.

const PRICES = 'home_price, draw_price, away_price, home_point, away_point';
const prices = (of: string): string => PRICES.replaceAll(/\w+/g, `${of}.$&`);
const BEFORE = PRICES.replaceAll(/\w+/g, 'before_$&');
const DIFFERS = `(${prices('q')}) IS DISTINCT FROM (${prices('EXCLUDED')})`;
/** A price that stood for less time was a mistake, or is hard to get. */
const SOON = "interval '10 minutes'";

/**
 * `changes`: the match of each change of a market, whether a price was offered, and whether the change ended one that
 * stood less than ten minutes.
 */
const countMoves = (changes: string): string => `forgotten AS (
    -- Those of a week are read.
    DELETE FROM sport_moves WHERE bookmaker_key = $1 AND day < ($2::timestamptz AT TIME ZONE 'UTC')::date - 30),
  moves AS (
    INSERT INTO sport_moves AS m (bookmaker_key, sport_key, day, offered, moved)
    SELECT $1, e.sport_key, ($2::timestamptz AT TIME ZONE 'UTC')::date, count(*) FILTER (WHERE c.offered), count(*) FILTER (WHERE c.moved)
      FROM (${changes}) c JOIN sport_events e USING (event_id) GROUP BY 2
    ON CONFLICT (bookmaker_key, sport_key, day) DO UPDATE SET offered = m.offered + EXCLUDED.offered, moved = m.moved + EXCLUDED.moved)`;

/**
 * Only differences: `priced_at` of the book's row confirms the others, and is written after this. `$3`: the matches
 * that the push lists, or no longer lists. A withdrawn price has moved, and offers nothing; its time is that of the
 * last push that listed it.
 */
export const WRITE_QUOTES = `
  WITH pushed AS MATERIALIZED (
    -- No source knows prices of after the observation: its clock runs ahead.
    SELECT event_id, market, ${PRICES}, CASE WHEN stamp > $2 THEN $2 ELSE stamp END AS source_updated_at
      FROM unnest($4::uuid[], $5::text[], $6::float8[], $7::float8[], $8::float8[], $9::float8[], $10::float8[], $11::timestamptz[])
        AS n (event_id, market, ${PRICES}, stamp)),
  standing AS MATERIALIZED (SELECT * FROM sport_quotes q WHERE q.event_id = ANY ($3::uuid[]) AND q.bookmaker_key = $1),
  written AS (
    INSERT INTO sport_quotes AS q (event_id, bookmaker_key, market, ${PRICES}, observed_at, changed_at, source_updated_at)
    SELECT event_id, $1, market, ${prices('p')}, $2, $2, p.source_updated_at FROM pushed p LEFT JOIN standing q USING (event_id, market)
     WHERE q.observed_at IS NULL OR (${prices('p')}, p.source_updated_at) IS DISTINCT FROM (${prices('q')}, q.source_updated_at)
    ON CONFLICT (event_id, bookmaker_key, market) DO UPDATE
       SET (${PRICES}) = ROW (${prices('EXCLUDED')}), observed_at = EXCLUDED.observed_at, source_updated_at = EXCLUDED.source_updated_at,
           (${BEFORE}, before_changed_at) = ROW (${PRICES.replaceAll(/\w+/g, `CASE WHEN ${DIFFERS} THEN q.$& ELSE q.before_$& END`)},
             CASE WHEN ${DIFFERS} THEN q.changed_at ELSE q.before_changed_at END),
           changed_at = CASE WHEN ${DIFFERS} THEN EXCLUDED.changed_at ELSE q.changed_at END
    RETURNING event_id, market, ${PRICES}, changed_at = $2 AS changed,
              changed_at = $2 AND before_changed_at > $2::timestamptz - ${SOON}
                AND COALESCE(before_home_price, before_draw_price, before_away_price) IS NOT NULL AS moved),
  gone AS (
    SELECT s.event_id, s.market, greatest(s.observed_at, b.priced_at) AS listed_at
      FROM standing s JOIN sport_events e USING (event_id) JOIN sport_event_books b ON b.event_id = s.event_id AND b.bookmaker_key = $1
     WHERE COALESCE(s.home_price, s.draw_price, s.away_price) IS NOT NULL AND e.commence_time > $2
       AND NOT EXISTS (SELECT FROM pushed p WHERE p.event_id = s.event_id AND p.market = s.market)),
  taken_back AS (
    UPDATE sport_quotes q
       SET home_price = NULL, draw_price = NULL, away_price = NULL, home_point = NULL, away_point = NULL, changed_at = $2,
           observed_at = g.listed_at, (${BEFORE}, before_changed_at) = ROW (${prices('q')}, q.changed_at)
      FROM gone g WHERE q.event_id = g.event_id AND q.bookmaker_key = $1 AND q.market = g.market
    RETURNING q.event_id, q.market, ${prices('q')}, q.before_changed_at > $2::timestamptz - ${SOON} AS moved),
  ticks AS (
    INSERT INTO sport_ticks (event_id, market, ${PRICES}, captured_at, bookmaker_key)
    SELECT event_id, market, ${PRICES}, $2, $1 FROM written WHERE changed
    UNION ALL SELECT event_id, market, ${PRICES}, $2, $1 FROM taken_back
    RETURNING event_id),
  ${countMoves('SELECT event_id, true AS offered, moved FROM written WHERE changed UNION ALL SELECT event_id, false, moved FROM taken_back')}
  SELECT (SELECT count(*) FROM ticks) AS changed, (SELECT count(*) FROM taken_back) AS taken_back,
         ARRAY(SELECT DISTINCT event_id FROM ticks) AS moved`;

/** The matches whose alternates changed. Alternates no longer listed are deleted. */
export const WRITE_LINES = `
  WITH pushed AS (
    SELECT * FROM jsonb_to_recordset($3) AS n (event_id uuid, market text, home_price float8, away_price float8, home_point float8,
           source_updated_at timestamptz)),
  written AS (
    INSERT INTO sport_lines AS q (event_id, bookmaker_key, market, point, home_price, away_price, observed_at, changed_at, source_updated_at)
    SELECT event_id, $1, market, home_point, home_price, away_price, $2, $2, LEAST(source_updated_at, $2) FROM pushed
    ON CONFLICT (event_id, bookmaker_key, market, point) DO UPDATE
       SET home_price = EXCLUDED.home_price, away_price = EXCLUDED.away_price, observed_at = EXCLUDED.observed_at,
           source_updated_at = EXCLUDED.source_updated_at,
           changed_at = CASE WHEN (q.home_price, q.away_price) IS DISTINCT FROM (EXCLUDED.home_price, EXCLUDED.away_price)
                             THEN EXCLUDED.changed_at ELSE q.changed_at END
    RETURNING event_id, changed_at = $2 AS changed),
  gone AS (
    DELETE FROM sport_lines q
     WHERE q.event_id = ANY ($4::uuid[]) AND q.bookmaker_key = $1
       AND NOT EXISTS (SELECT FROM pushed p WHERE p.event_id = q.event_id AND p.market = q.market AND p.home_point = q.point)
    RETURNING event_id)
  SELECT event_id FROM written WHERE changed UNION SELECT event_id FROM gone`;

/** Whether price `q` of row `b` stands: the last push that listed the match, listed the price before the start. */
export const stands = (q: string, b: string): string =>
  `COALESCE(${q}.home_price, ${q}.draw_price, ${q}.away_price) IS NOT NULL AND (${b}.priced_at = ${b}.observed_at OR ${q}.observed_at = ${b}.observed_at)`;

/** When price `q` of row `b` was last listed. */
export const lastListedAt = (q: string, b: string): string =>
  `CASE WHEN COALESCE(${q}.home_price, ${q}.draw_price, ${q}.away_price) IS NULL THEN ${q}.observed_at ELSE greatest(${q}.observed_at, ${b}.priced_at) END`;
