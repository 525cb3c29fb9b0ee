-- Whose fixed prices the placings of a result carry: all of them are of one book (A 2.11 rule 3). Never served. Null: nobody has priced them,
-- or they were written before this was kept.
ALTER TABLE race_results ADD COLUMN price_source text;
