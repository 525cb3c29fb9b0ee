// Refuses a Node that is too old before anything else fails in a stranger way.
import { Problem } from './problem.mjs';

const oldest = [20, 19];

export function requireNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  throw new Problem(`Node ${version} is too old: this service needs Node ${oldest.join('.')} or newer.`);
}
