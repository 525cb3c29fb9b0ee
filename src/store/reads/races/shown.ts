// `boardState` in statements: by the database's function `race_state`, over the columns of a race (D63).
import { SHOWN, type Surface } from '../../../domain/race/board-state';

const factsOf = (race: string): string =>
  `${race}.start_time, ${race}.status, ${race}.market_status, ${race}.market_closed_at, ${race}.market_state_source, ${race}.jumped_at`;

/** The jump of the races of an alias, as in `boardJumpMs`. */
export const jumpOf = (race: string): string => `race_jump(${factsOf(race)})`;

/** The state of the races of an alias at an instant. */
export const boardStateOf = (race: string, at: string): string =>
  `race_state(${factsOf(race)}, ${race}.left_board_at, ${at})`;

/** A condition: the surface shows the race of this alias at the instant `at`, a placeholder. */
export const shownOn = (surface: Surface, race: string, at: string): string =>
  `${boardStateOf(race, `${at}::timestamptz`)} IN (${SHOWN[surface].map((state) => `'${state}'`).join(', ')})`;
