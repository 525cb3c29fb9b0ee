// How much memory a program may keep for garbage, wherever it is started. On a machine with much memory V8 would let
// garbage grow to three times the live heap and keep 134 MB for new objects, and glibc would give each thread an arena
// of its own (docs/performance/start-and-memory.md). What is collected sooner costs processor time, so there are two
// ways.

/** `npm start`: three programs with little to do, beside whatever else a laptop does. Arguments of node. */
export const LEAN_NODE = ['--heap-growing-percent=20', '--max-semi-space-size=8'];

/** Buffers that are freed go back to the system at once. */
export const LEAN_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
};

/** The image (Dockerfile), and the tests and benches that start the service's programs: a Saturday's load. */
export const DEPLOYED_NODE = ['--heap-growing-percent=100', '--max-semi-space-size=16'];

export const DEPLOYED_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };
