-- Nothing but its number: a process waits for numbered files, and with them for the functions of its release, of which
-- `claim_race` and `fence_race` are new (docs/decisions/0011-functions-are-repeatable-migrations.md).
SELECT;
