// The order of a whole run: kind by kind as `projects.mjs` lists them, then by name. The order is the same on every
// machine and in every run.
import Sequencer from '@jest/test-sequencer';
import { PROJECTS } from './projects.mjs';

const rank = new Map(PROJECTS.map(({ name }, n) => [name, n]));
const rankOf = ({ context }) => rank.get(context.config.displayName.name) ?? 0;

// @ts-expect-error Its types are those of the CommonJS build; an import has the class as its default.
export default class KindByKind extends Sequencer {
  sort(tests) {
    return [...tests].sort((a, b) => rankOf(a) - rankOf(b) || a.path.localeCompare(b.path, 'en', { numeric: true }));
  }
}
