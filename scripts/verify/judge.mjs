// Judges what a customer received against the simulated world and against the database. Pure: values in, findings out.
const BOARD_AFTER_JUMP_MS = 10 * 60_000;
/** Kinds of events that a race that is over never has. */
const OF_THE_BOARD = [
  'race.odds_open',
  'odds.change',
  'race.scratching',
  'race.market_closed',
  'race.start_moved',
  'race.track_changed',
];

/**
 * When the race was over; null while it may still be on the board. An abandoned race stays there until ten minutes
 * after its advertised start.
 */
export function overSince({ jumpMs, abandonedMs, startMs }) {
  if (abandonedMs !== null) return Math.max(abandonedMs, startMs + BOARD_AFTER_JUMP_MS);
  return jumpMs === null ? null : jumpMs + BOARD_AFTER_JUMP_MS;
}

/** Events of a race that was already over when they occurred. */
export function afterTheEnd(events, oracle) {
  return events.flatMap(({ event }) => {
    const truth = event?.race_id && OF_THE_BOARD.includes(event.event) ? oracle.get(event.race_id) : null;
    const over = truth ? overSince(truth) : null;
    if (over === null || Date.parse(event.occurred_at) <= over) return [];
    return [`${event.event} of ${nameOf(event)} at ${event.occurred_at}, over since ${new Date(over).toISOString()}`];
  });
}

/** Posts that break the promises of the docs: the signature, one body per id, the order of a race's first attempts. */
export function badPosts(events) {
  const bodies = new Map();
  return events.flatMap(({ event, body, headers }) => {
    const id = headers['webhook-id'];
    if (event === null) return [`signature of ${id}`];
    const findings = event.id === id ? [] : [`id of ${id}`];
    if (bodies.has(id) && bodies.get(id) !== body) findings.push(`two bodies of ${id}`);
    bodies.set(id, body);
    return findings;
  });
}

/** Final results with a placing that the world does not have, neither at the finish nor as settled. */
export function wrongResults(events, oracle) {
  return events.flatMap(({ event }) => {
    if (event?.event !== 'race.result' || event.status !== 'final') return [];
    const truth = oracle.get(event.race_id);
    const isIn = (order) => event.placings.every((one) => order.some((real) => isSamePlace(one, real)));
    return !truth || isIn(truth.settled) || isIn(truth.crossed)
      ? []
      : [`result of ${nameOf(event)}, event ${event.id}`];
  });
}

const isSamePlace = (one, real) => one.position === real.position && one.number === real.number;

/**
 * Events of the database that never arrived without an excuse; `rows`: `{ event_id, kind, status }`, the status of the
 * delivery or null.
 */
export function lostEvents(rows, events) {
  const arrived = new Set(events.map(({ headers }) => headers['webhook-id']));
  return rows
    .filter(
      ({ event_id, kind, status }) => !arrived.has(event_id) && !(kind === 'odds.change' && status === 'cancelled'),
    )
    .map(({ event_id, kind, status }) => `${kind} ${event_id}: ${status ?? 'no delivery'}`);
}

/** Rows of `changes` for a race that was over at the time of the response. `readings`: `{ atMs, races }`, race time. */
export function changesAfterTheEnd(readings, oracle) {
  return readings.flatMap(({ atMs, races }) =>
    races.flatMap((race) => {
      const truth = oracle.get(race.race_id);
      const over = truth ? overSince(truth) : null;
      return over !== null && atMs > over + READ_LATE_MS
        ? [`changes has ${nameOf(race)} at ${new Date(atMs).toISOString()}`]
        : [];
    }),
  );
}

/** A response may take this long on a starved machine. */
const READ_LATE_MS = 15_000;

const nameOf = ({ venue, race_number }) => `${venue} R${race_number}`;
