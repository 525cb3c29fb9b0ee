// What keeps a program's memory close to what it uses, wherever it is started: by `npm start`, by tests and benches, and
// in the image (Dockerfile). On a machine with much memory V8 would let garbage grow to three times the live heap, each
// thread would keep 48 MB and more for new objects, and glibc would keep the memory of large buffers
// (docs/performance/start-and-memory.md).

/** Arguments of node. */
export const LEAN_NODE = ['--heap-growing-percent=20', '--max-semi-space-size=8'];

export const LEAN_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
};
