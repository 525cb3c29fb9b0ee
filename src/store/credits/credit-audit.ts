// The audit of credits: what balances, grants and the customers' sums must be according to the ledger and the closed
// months (D41).

/** A refund counts against its charge. */
const SIGNED = `CASE kind WHEN 'return' THEN -1 ELSE 1 END`;

/** One row per fault: the account and a sentence. */
export const AUDIT = `
  WITH sums AS (
         SELECT account_id, period, kind, key_id, subject, credits, from_grants, overage, lines FROM credit_closed
          UNION ALL
         SELECT account_id, period, kind, key_id, subject, credits, from_grants, overage, (credits > 0)::integer FROM credit_ledger),
       used AS (
         SELECT account_id, period, sum(${SIGNED} * credits) AS used, sum(${SIGNED} * from_grants) AS from_grants, sum(${SIGNED} * overage) AS overage
           FROM sums WHERE kind <> 'grant' GROUP BY 1, 2),
       grants AS (
         SELECT account_id, sum(CASE kind WHEN 'grant' THEN credits ELSE -${SIGNED} * from_grants END) AS remaining FROM sums GROUP BY 1),
       days AS (
         SELECT account_id, (at AT TIME ZONE 'UTC')::date AS day, key_id, subject, sum(${SIGNED}) FILTER (WHERE credits > 0) AS calls,
                sum(${SIGNED} * credits) AS credits
           FROM credit_ledger WHERE kind <> 'grant' GROUP BY 1, 2, 3, 4),
       closed AS (SELECT DISTINCT period FROM credit_closed),
       months AS (
         SELECT account_id, period, key_id, subject, sum(${SIGNED} * lines) FILTER (WHERE credits > 0) AS calls, sum(${SIGNED} * credits) AS credits
           FROM credit_closed WHERE kind <> 'grant' GROUP BY 1, 2, 3, 4),
       usage AS (SELECT *, date_trunc('month', day)::date AS period FROM credit_usage)
  SELECT account_id, to_char(period, 'YYYY-MM') || ': ' || COALESCE(b.used, 0) || ' used, of which ' || COALESCE(b.from_grants, 0)
         || ' granted and ' || COALESCE(b.overage, 0) || ' overage; the ledger has ' || COALESCE(l.used, 0) || ', ' || COALESCE(l.from_grants, 0)
         || ' and ' || COALESCE(l.overage, 0) AS fault
    FROM used l FULL JOIN credit_balances b USING (account_id, period)
   WHERE (COALESCE(b.used, 0), COALESCE(b.from_grants, 0), COALESCE(b.overage, 0))
      <> (COALESCE(l.used, 0), COALESCE(l.from_grants, 0), COALESCE(l.overage, 0))
   UNION ALL
  SELECT account_id, COALESCE(g.remaining, 0) || ' granted left; the ledger has ' || COALESCE(l.remaining, 0)
    FROM grants l FULL JOIN credit_grants g USING (account_id)
   WHERE COALESCE(g.remaining, 0) <> COALESCE(l.remaining, 0)
   UNION ALL
  SELECT account_id, to_char(day, 'YYYY-MM-DD') || ' ' || subject || ': ' || COALESCE(u.calls, 0) || ' calls for ' || COALESCE(u.credits, 0)
         || '; the ledger has ' || COALESCE(l.calls, 0) || ' for ' || COALESCE(l.credits, 0)
    FROM days l
    FULL JOIN (SELECT * FROM usage WHERE period NOT IN (SELECT period FROM closed)) u USING (account_id, day, key_id, subject)
   WHERE COALESCE(u.calls, 0) <> COALESCE(l.calls, 0) OR COALESCE(u.credits, 0) <> COALESCE(l.credits, 0)
   UNION ALL
  SELECT account_id, to_char(period, 'YYYY-MM') || ' ' || subject || ': ' || COALESCE(u.calls, 0) || ' calls for ' || COALESCE(u.credits, 0)
         || '; the closed month has ' || COALESCE(l.calls, 0) || ' for ' || COALESCE(l.credits, 0)
    FROM months l
    FULL JOIN (SELECT account_id, period, key_id, subject, sum(calls) AS calls, sum(credits) AS credits
                 FROM usage WHERE period IN (SELECT period FROM closed) GROUP BY 1, 2, 3, 4) u USING (account_id, period, key_id, subject)
   WHERE COALESCE(u.calls, 0) <> COALESCE(l.calls, 0) OR COALESCE(u.credits, 0) <> COALESCE(l.credits, 0)
   ORDER BY 1, 2`;
