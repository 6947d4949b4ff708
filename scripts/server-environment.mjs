// What keeps the server's memory small and can be said to a process only before it starts. It must never overrule
// what whoever starts it has set.

/** The newest objects of the main thread take 8 MB, twice; V8 would let it be 32. */
const youngFlag = '--max-semi-space-size=8';

/** Each thread that allocates would get a pool of its own from the C library, and give little of it back. */
const onePool = { MALLOC_ARENA_MAX: '1' };

/**
 * The environment to start the server with.
 * @param {NodeJS.ProcessEnv} environment what it is to have besides
 * @returns {NodeJS.ProcessEnv}
 */
export function serverEnvironment(environment) {
  // Of two that say the same, Node takes the later.
  const options = [youngFlag, environment.NODE_OPTIONS].filter(Boolean).join(' ');
  return { ...onePool, ...environment, NODE_OPTIONS: options };
}
