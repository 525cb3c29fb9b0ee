// A short list kept in ascending order while its values change: a market has fifteen books.

export function insertInto(list: number[], value: number): void {
  list.push(value);
  sinkFrom(list, list.length - 1, value);
}

/** `value` must be in the list. */
export function removeFrom(list: number[], value: number): void {
  list.splice(list.indexOf(value), 1);
}

/** `from` must be in the list. */
export function replaceIn(list: number[], from: number, to: number): void {
  let at = list.indexOf(from);
  for (; at + 1 < list.length && list[at + 1]! < to; at++) list[at] = list[at + 1]!;
  sinkFrom(list, at, to);
}

/** Puts the value at `at`, or below it where it belongs. */
function sinkFrom(list: number[], at: number, value: number): void {
  let place = at;
  for (; place > 0 && list[place - 1]! > value; place--) list[place] = list[place - 1]!;
  list[place] = value;
}
