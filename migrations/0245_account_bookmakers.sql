-- Which bookmakers an owner wants to see on the pages, and in which order.
CREATE TABLE IF NOT EXISTS account_bookmakers (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  -- Keys, the owner's first one first; also those that are hidden.
  book_order text[] NOT NULL CHECK (cardinality(book_order) <= 64),
  hidden text[] NOT NULL CHECK (cardinality(hidden) <= 64),
  -- Another one with every change: a browser names the one that its change is based on.
  version uuid NOT NULL,
  changed_at timestamptz NOT NULL
);
CREATE OR REPLACE TRIGGER bookmakers_of_open_account BEFORE INSERT ON account_bookmakers FOR EACH ROW EXECUTE FUNCTION account_is_open();
