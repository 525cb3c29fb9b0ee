// The workflow bundle of a build that does not fit the histories of running races: on replay, a race begins with a
// timer that no history has.

const RACE = 'async function race(input, carry = null) {\n';

export function unfit(code) {
  const at = code.indexOf(RACE) + RACE.length;
  const workflow = /\(0,(_temporalio_workflow__\w+)\.setHandler\)/.exec(code.slice(at))?.[1];
  if (at < RACE.length || workflow === undefined) throw new Error('The bundle has no race where it was.');
  const timer = `if ((0,${workflow}.workflowInfo)().unsafe.isReplaying) await (0,${workflow}.sleep)(1);`;
  // Inserted into an existing line, so that the source map stays right.
  return `${code.slice(0, at - 1)} ${timer}\n${code.slice(at)}`;
}
