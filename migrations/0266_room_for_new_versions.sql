-- Outside a transaction.
-- A report of the exchange rewrites most runners of its market. With room on their page for the next version (HOT) a
-- write adds no entry to an index. Pages that are full keep what they have until their rows go.
ALTER TABLE exchange_runners SET (fillfactor = 50);
ALTER TABLE exchange_markets SET (fillfactor = 70);
-- A price that moves is no HOT update: every index that has its row gets an entry. Nearly no row has this mark.
DROP INDEX CONCURRENTLY IF EXISTS race_books_relinked;
CREATE INDEX CONCURRENTLY race_books_relinked ON race_books (linked_written_at) WHERE linked_written_at IS NOT NULL;
DROP INDEX IF EXISTS race_books_linked;
