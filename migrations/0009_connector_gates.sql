-- What stands before each book in each worker: the breaker, the budget it may count on, and what was held back. Written by the worker
-- every few seconds; a row of a worker that has fallen silent says nothing any more.
CREATE TABLE connector_gates (
  connector text NOT NULL,
  worker text NOT NULL,
  breaker text NOT NULL CHECK (breaker IN ('closed', 'open', 'half_open')),
  breaker_since timestamptz NOT NULL,
  -- Calls a second this worker may count on: the whole rate of the book while it is shared, else its own share.
  budget_per_second double precision NOT NULL,
  budget_source text NOT NULL CHECK (budget_source IN ('shared', 'own_share')),
  -- Calls that were not sent since the worker began.
  refused_over_budget bigint NOT NULL,
  refused_breaker bigint NOT NULL,
  reported_at timestamptz NOT NULL,
  PRIMARY KEY (connector, worker)
);
