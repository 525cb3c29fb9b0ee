/** Over races `r`: off the board, and no poller may write them. */
export const PAST = `r.left_board_at IS NOT NULL
     AND NOT EXISTS (SELECT FROM race_control c WHERE c.race_id = r.race_id AND c.tier <> 'none')`;
