// What really happens in the simulated world, by the service's race ids: the simulator's own story of each race.

/**
 * By race id: `{ jumpMs, abandonedMs, placings }`, for the races of `rows`
 * (`race_id, meeting_date, category, venue, race_number` of the database).
 */
export async function readOracle(simulatorUrl, rows, fromMs, toMs) {
  const query = new URLSearchParams({ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() });
  const response = await fetch(`${simulatorUrl}/world/races?${query}`);
  const { races } = /** @type {any} */ (await response.json());
  const truthOf = new Map(races.map((race) => [keyOf(race.day, race.category, race.venue, race.raceNumber), race]));
  return new Map(
    rows.flatMap((row) => {
      const names = [row.venue, row.venue_canonical];
      const truth = names
        .map((venue) => truthOf.get(keyOf(row.day, row.category, venue, row.race_number)))
        .find(Boolean);
      return truth ? [[row.race_id, storyOf(truth)]] : [];
    }),
  );
}

const keyOf = (day, category, venue, number) => [day, category, venue.toLowerCase(), number].join('|');

const storyOf = ({ outcome, abandoned, advertised }) => ({
  jumpMs: outcome && Date.parse(outcome.jump),
  abandonedMs: abandoned && Date.parse(abandoned.at),
  startMs: Date.parse(advertised.at(-1).start),
  settled: outcome?.settled ?? [],
  crossed: outcome?.crossed ?? [],
});
