-- The venue directory (A 2.10) asks per venue and code for its latest race: 57,000 races of 90 days answered in 14 ms instead of 145.
CREATE INDEX races_by_venue ON races (venue_id, category, start_time);
