// The Odds API's keys of sports and books, and ours. A key that is not here is counted and never mapped. Data, not
// behaviour. Sports: the keys of the source's list of sports as published until 2025. Those marked `unseen` follow its
// pattern but were in no published list: the source may never use them. Books: those of region `au`, with the spellings
// of older replies (`ladbrokes`, `betfair`).

export const SPORT_KEYS_THERE: readonly (readonly [theirs: string, ours: string])[] = [
  ['aussierules_afl', 'afl'],
  // unseen
  ['aussierules_aflw', 'aflw'],
  ['rugbyleague_nrl', 'nrl'],
  ['rugbyleague_nrl_state_of_origin', 'nrl'],
  // unseen
  ['rugbyleague_nrlw', 'nrlw'],
  // unseen
  ['rugbyleague_super_league', 'super_league'],
  ['basketball_nba', 'nba'],
  ['basketball_nba_preseason', 'nba'],
  ['basketball_wnba', 'wnba'],
  ['basketball_nbl', 'basketball_other'],
  ['basketball_euroleague', 'basketball_other'],
  ['americanfootball_nfl', 'nfl'],
  ['americanfootball_nfl_preseason', 'nfl'],
  ['americanfootball_ncaaf', 'ncaaf'],
  ['baseball_mlb', 'mlb'],
  ['baseball_mlb_preseason', 'mlb'],
  ['icehockey_nhl', 'nhl'],
  ['mma_mixed_martial_arts', 'mma'],
  ['cricket_test_match', 'cricket_test'],
  ['cricket_big_bash', 'cricket_other'],
  ['cricket_odi', 'cricket_other'],
  ['cricket_international_t20', 'cricket_other'],
  ['cricket_ipl', 'cricket_other'],
  ['cricket_psl', 'cricket_other'],
  ['cricket_caribbean_premier_league', 'cricket_other'],
  ['cricket_the_hundred', 'cricket_other'],
  ['cricket_t20_blast', 'cricket_other'],
  ['cricket_icc_world_cup', 'cricket_other'],
  ['rugbyunion_six_nations', 'rugby_union'],
  // unseen
  ['rugbyunion_super_rugby', 'rugby_union'],
  ['soccer_epl', 'soccer_epl'],
  ['soccer_australia_aleague', 'soccer_other'],
  ['soccer_efl_champ', 'soccer_other'],
  ['soccer_fa_cup', 'soccer_other'],
  ['soccer_uefa_champs_league', 'soccer_other'],
  ['soccer_uefa_europa_league', 'soccer_other'],
  ['soccer_spain_la_liga', 'soccer_other'],
  ['soccer_germany_bundesliga', 'soccer_other'],
  ['soccer_italy_serie_a', 'soccer_other'],
  ['soccer_france_ligue_one', 'soccer_other'],
  ['soccer_usa_mls', 'soccer_other'],
  ['soccer_fifa_world_cup', 'soccer_other'],
];

/** Tennis has a key for each tournament: `tennis_atp_wimbledon`. */
export const SPORT_PREFIXES_THERE: readonly (readonly [theirs: string, ours: string])[] = [
  ['tennis_atp_', 'tennis_atp'],
  ['tennis_wta_', 'tennis_wta'],
];

export const BOOK_KEYS_THERE: readonly (readonly [theirs: string, ours: string])[] = [
  ['sportsbet', 'sportsbet'],
  ['tab', 'tab'],
  ['tabtouch', 'tabtouch'],
  ['ladbrokes_au', 'ladbrokes_au'],
  ['ladbrokes', 'ladbrokes_au'],
  ['neds', 'neds'],
  ['pointsbetau', 'pointsbetau'],
  ['unibet', 'unibet'],
  ['betr_au', 'betr_au'],
  ['betright', 'betright'],
  ['playup', 'playup'],
  ['dabble_au', 'dabble_au'],
  ['betfair_ex_au', 'betfair_ex_au'],
  ['betfair', 'betfair_ex_au'],
];
