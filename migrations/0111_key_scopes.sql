-- What the key of a team may be used for (D68). Null: everything. The primary key has no scopes.
ALTER TABLE api_keys
  ADD scopes text[] CHECK (scopes <@ '{read,archive,webhooks,backfill}' AND cardinality(scopes) > 0),
  ADD CONSTRAINT api_keys_primary_has_no_scopes CHECK (NOT is_primary OR scopes IS NULL);

CREATE FUNCTION keep_scopes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE TRIGGER api_keys_keep_scopes BEFORE INSERT ON api_keys FOR EACH ROW
  WHEN (NEW.version > 1 AND NEW.scopes IS NULL) EXECUTE FUNCTION keep_scopes();
