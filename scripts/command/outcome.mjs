// What a step resolves to that has not done what its title states: then it gets no check mark.

/** It had nothing to do. */
export class Kept {
  constructor(why) {
    this.text = `kept, ${why}`;
    this.mark = '–';
  }
}

/** What the title states is not so. */
export class Missing {
  constructor(why) {
    this.text = `not so. ${why}`;
    this.mark = '✗';
  }
}

/** Of an operator's command, by the line that it ends with: `kept: …` had nothing to do, `note: …` could not do it. */
export function outcomeOf(line) {
  const [, kind, why] = /^(kept|note): (.*)$/s.exec(line) ?? [];
  if (kind === 'kept') return new Kept(why);
  return kind === 'note' ? new Missing(`${why[0].toUpperCase()}${why.slice(1)}.`) : line;
}
