// Settings that keep the server's memory small and must be set before it starts. Must not: override settings
// of the caller.

/** The newest objects of the main thread take twice 4 MB; V8 would use up to 32 MB. */
const semiSpaceFlag = '--max-semi-space-size=4';

/**
 * How the C library keeps memory. By default each allocating thread gets its own pool, which returns little
 * memory. And after the first large freed block (checking a password takes 19 MB) such blocks also come from
 * the pool, where one small neighbour keeps them. With this setting, blocks from 256 kB on come from the
 * system and return to it.
 */
const mallocSettings = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

/** @param {NodeJS.ProcessEnv} environment the caller's @returns {NodeJS.ProcessEnv} that of the server */
export function serverEnvironment(environment) {
  // Node uses the later of two equal options.
  const options = [semiSpaceFlag, environment.NODE_OPTIONS].filter(Boolean).join(' ');
  return { ...mallocSettings, ...environment, NODE_OPTIONS: options };
}
