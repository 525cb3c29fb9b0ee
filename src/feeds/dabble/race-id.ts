// How we name a Dabble race: its competition (one meeting) and its fixture, `<competition>/<fixture>`: one call of the competition answers
// for all its races.

export interface DabbleRaceId {
  readonly competition: string;
  readonly fixture: string;
}

export const dabbleRaceId = ({ competition, fixture }: DabbleRaceId): string => `${competition}/${fixture}`;

/** Null when it is none of ours. */
export function parseDabbleRaceId(sourceRaceId: string): DabbleRaceId | null {
  const [competition, fixture, ...rest] = sourceRaceId.split('/');
  return competition && fixture && rest.length === 0 ? { competition, fixture } : null;
}

export const fixturesPath = (competition: string): string =>
  `/frontend-api/competitions/${encodeURIComponent(competition)}/sport-fixtures`;
