// What keeps the server's memory small and can be said to a process only before it starts. It must never overrule
// what whoever starts it has set.

/** The newest objects of the main thread take 4 MB, twice; V8 would let it be 32. */
const youngFlag = '--max-semi-space-size=4';

/**
 * How the C library keeps memory. Each thread that allocates would get a pool of its own, and give little of it back. And
 * after the first large block that was freed (a password is checked with 19 MB) it would put such blocks into the
 * pool, too, where one small neighbour keeps them: from 256 kB on, a block is the system's and goes back to it.
 */
const tightPool = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

/**
 * The environment to start the server with.
 * @param {NodeJS.ProcessEnv} environment what it is to have besides
 * @returns {NodeJS.ProcessEnv}
 */
export function serverEnvironment(environment) {
  // Of two that say the same, Node takes the later.
  const options = [youngFlag, environment.NODE_OPTIONS].filter(Boolean).join(' ');
  return { ...tightPool, ...environment, NODE_OPTIONS: options };
}
