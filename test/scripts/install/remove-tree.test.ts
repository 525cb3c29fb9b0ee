const { mountsBelow } = require('../../../scripts/install/remove-tree.mjs') as {
  mountsBelow(path: string, table: string): string[];
};

test('only mounts below the folder are unmounted', () => {
  const table = 'proc /proc proc rw 0 0\nproc /cache/a/proc proc rw 0 0\nproc /cache/ab/proc proc rw 0 0\n';
  expect(mountsBelow('/cache/a', table)).toEqual(['/cache/a/proc']);
});

test('a path with a space is parsed', () => {
  expect(mountsBelow('/my cache/a', 'proc /my\\040cache/a/proc proc rw 0 0\n')).toEqual(['/my cache/a/proc']);
});
