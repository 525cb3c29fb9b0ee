// How a side missing from the tables is shown: in its first book's spelling, a player with the given name first.

/** Books list players as `Sarkady, Owen` too. A text with a second comma is not in that form. */
const OF_PLAYERS = new Set(['tennis_atp', 'tennis_wta', 'mma']);

export function displayName(sportKey: string, name: string): string {
  const parts = name.split(',').map((part) => part.trim());
  const isTurned = OF_PLAYERS.has(sportKey) && parts.length === 2 && parts.every((part) => part !== '');
  return isTurned ? `${parts[1]} ${parts[0]}` : name;
}
