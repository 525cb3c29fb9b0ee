// The result of a step that did not do what its title states: it then gets no check mark.

/** There was nothing to do. */
export class Kept {
  constructor(why) {
    this.text = `kept, ${why}`;
    this.mark = '–';
  }
}

/** What the title states could not be done. */
export class Missing {
  constructor(why) {
    this.text = `not so. ${why}`;
    this.mark = '✗';
  }
}

/** The outcome of an operator's command, from its last line: `kept: …` had nothing to do, `note: …` could not do it. */
export function outcomeOf(line) {
  const [, kind, why] = /^(kept|note): (.*)$/s.exec(line) ?? [];
  if (kind === 'kept') return new Kept(why);
  return kind === 'note' ? new Missing(`${why[0].toUpperCase()}${why.slice(1)}.`) : line;
}
