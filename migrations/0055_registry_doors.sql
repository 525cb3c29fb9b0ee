-- What stands between us and each registry's site (D26, D49): every process obeys it. No row: nothing was ever in the way.
CREATE TABLE registry_doors (
  registry text PRIMARY KEY,
  -- `paused`: the site requested a pause, until `retry_at`; `walled`: it refuses us, until a probe reads a page.
  state text NOT NULL CHECK (state IN ('ok', 'paused', 'walled')),
  since timestamptz NOT NULL,
  -- Of a pause its end, of a wall the next probe; null: not known.
  retry_at timestamptz,
  -- What the site answered, or why an operator opened the door.
  note text,
  probed_at timestamptz
);
