-- The id of the key under which secrets are sealed now; null: they are stored as they are. It stays so until the end of the transaction: `ops secrets
-- seal` waits for all that have asked, so that whatever they write is there when it looks for what is still to be sealed.
CREATE OR REPLACE FUNCTION sealing_key() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7205231140);
  RETURN (SELECT key_id FROM secret_sealing);
END $$;
