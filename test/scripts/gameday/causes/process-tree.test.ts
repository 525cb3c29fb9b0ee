// A game day kills and stops a program with everything that it has started, in any process group.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { PATIENT_MS } from '../../../support/patient';
import { waitFor } from '../../../support/servers/service';

const { killTree, resumeTree, stopTree, treeOf } = require('../../../../scripts/gameday/causes/process-tree.mjs') as {
  treeOf(pid: number): number[];
} & Record<'killTree' | 'resumeTree' | 'stopTree', (pid: number) => void>;

const onLinux = process.platform === 'linux' ? test : test.skip;
const stateOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)![0];

onLinux('a child in a session of its own is stopped, goes on, and ends with its parent', async () => {
  const child = "const { spawn } = require('node:child_process');";
  const idle = "spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })";
  const parent = spawn(process.execPath, ['-e', `${child} ${idle}; setInterval(() => {}, 1000)`]);
  const tree = await waitFor(async () => {
    const found = treeOf(parent.pid!);
    return found.length === 2 ? found : null;
  }, PATIENT_MS);
  const ended = once(parent, 'exit');
  try {
    stopTree(parent.pid!);
    await waitFor(async () => tree.every((pid) => stateOf(pid) === 'T'), PATIENT_MS);
    resumeTree(parent.pid!);
    await waitFor(async () => tree.every((pid) => stateOf(pid) !== 'T'), PATIENT_MS);
  } finally {
    killTree(parent.pid!);
  }
  await ended;
  await waitFor(async () => treeOf(tree[1]!).length === 1 && !isAlive(tree[1]!), PATIENT_MS);
});

function isAlive(pid: number): boolean {
  try {
    return stateOf(pid) !== 'Z';
  } catch {
    return false;
  }
}
