-- Whether apprentices may claim in a race, as the registry prints it. Null: it was not read, or is not printed.
ALTER TABLE registry_races ADD COLUMN IF NOT EXISTS apprentices_can_claim boolean;
ALTER TABLE races ADD COLUMN IF NOT EXISTS apprentices_can_claim boolean;
-- The board shows it: its write is marked for clients of the stream (D64).
CREATE OR REPLACE TRIGGER races_apprentices_written BEFORE UPDATE ON races FOR EACH ROW
  WHEN (NEW.apprentices_can_claim IS DISTINCT FROM OLD.apprentices_can_claim) EXECUTE FUNCTION mark_board();
