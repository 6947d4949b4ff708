// The entry of the service: prepares the process, then loads and runs serve.ts. The preparation does not
// affect code loaded before it. Must not: import our own files or packages statically.

import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// After a collection the heap may grow by half before the next one, instead of to four times its size.
// Threads started later keep their newest objects in 8 MB instead of 32. For this thread it is too late;
// scripts/server-environment.mjs sets it.
setFlagsFromString('--heap-growing-percent=50');
setFlagsFromString('--max-semi-space-size=8');
// Collect the newest objects in one thread: they are few, and helper threads wait for cores that PostgreSQL uses.
setFlagsFromString('--no-parallel-scavenge');

// Cache compiled code for the next start. The folder is beside its source code, because whoever can write to
// it decides what runs: a shared folder, such as the temporary one, would be unsafe. Without write access
// nothing is cached. NODE_COMPILE_CACHE names another folder.
enableCompileCache(
  process.env.NODE_COMPILE_CACHE ?? fileURLToPath(new URL('../.cache/compiled', import.meta.url)),
);

const { serve } = await import('./serve.ts');
// Write the cache once the service is ready: it then includes the functions of the start, and delays nobody.
await serve({ onReady: flushCompileCache });
