-- `runnerKey` of src/domain; a test compares them. Stored keys (`runs_by_name`) are folded with it: a change needs a numbered migration
-- that folds them again.
CREATE OR REPLACE FUNCTION fold_runner_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(lower(normalize(regexp_replace(name,
    '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*\([a-zA-Z]{2,3}\)[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*$',
    ''), NFKD) COLLATE "C"), '[^a-z0-9]', '', 'g')
$$;
