// Our id of a BlackStream race: the two ids in its path, `800628/11415984`.

export interface BlackStreamRaceId {
  readonly meetId: number;
  readonly raceId: number;
}

export const blackStreamRaceId = ({ meetId, raceId }: BlackStreamRaceId): string => `${meetId}/${raceId}`;

/** Null if it is not such an id. */
export function parseBlackStreamRaceId(sourceRaceId: string): BlackStreamRaceId | null {
  const [, meetId, raceId] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(sourceRaceId) ?? [];
  return meetId && raceId ? { meetId: Number(meetId), raceId: Number(raceId) } : null;
}
