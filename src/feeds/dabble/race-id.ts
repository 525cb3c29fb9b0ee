// Our id of a Dabble race: its competition (one meeting) and its fixture, `<competition>/<fixture>`. One call of the
// competition returns all its races.

export interface DabbleRaceId {
  readonly competition: string;
  readonly fixture: string;
}

export const dabbleRaceId = ({ competition, fixture }: DabbleRaceId): string => `${competition}/${fixture}`;

/** Null if it is not such an id. */
export function parseDabbleRaceId(sourceRaceId: string): DabbleRaceId | null {
  const [competition, fixture, ...rest] = sourceRaceId.split('/');
  return competition && fixture && rest.length === 0 ? { competition, fixture } : null;
}

export const fixturesPath = (competition: string): string =>
  `/frontend-api/competitions/${encodeURIComponent(competition)}/sport-fixtures`;
