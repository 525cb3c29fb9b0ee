// Random choices from a printed seed: the same seed makes the same requests on every machine.
export function randomFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most) => Math.floor(next() * most);
  return {
    below,
    pick: (list) => list[below(list.length)],
    some: (list, count) => sample([...list], count, below),
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}

function sample(rest, count, below) {
  const picked = [];
  while (picked.length < count && rest.length > 0) picked.push(...rest.splice(below(rest.length), 1));
  return picked;
}
