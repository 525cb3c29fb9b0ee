-- The folded name of a jockey, driver or trainer, as `personKey` of `src/domain/race/person.ts`. Indexes of
-- 0246_person_keys.sql are made of it, which creates it first: its text never changes.
CREATE OR REPLACE FUNCTION person_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURNS NULL ON NULL INPUT AS $$
  SELECT NULLIF(regexp_replace(btrim(regexp_replace(replace(translate(lower(regexp_replace(
      normalize(regexp_replace(name, '\([^()]*\)', ' ', 'g'), NFKD), '[\u0300-\u036f]', '', 'g')), '''’`', ''), '&', ' and '),
    '[^a-z0-9]+', '-', 'g'), '-'), '(^|-and-)(?:mr|mrs|ms|miss)-', '\1', 'g'), '')
$$;
