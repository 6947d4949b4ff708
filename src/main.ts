// The service's entry: readies the process, then loads and runs serve.ts. What is readied has no effect on code that
// is loaded before it, so this file must never import anything of ours, nor a package, in the ordinary way.

import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// After a collection the heap may grow by half before the next one, where V8 would let it become four times as large;
// and threads that are started later keep their newest objects in 8 MB instead of 32. For this thread it is too late
// to say that; scripts/server-environment.mjs does.
setFlagsFromString('--heap-growing-percent=50');
setFlagsFromString('--max-semi-space-size=8');

// What is compiled is kept for the next start. The folder stands beside the code that it is made of, because who can
// write there decides what runs: a folder of everybody's, such as the temporary one, would let others in. Where this
// user can't write, nothing is kept. NODE_COMPILE_CACHE names another folder.
enableCompileCache(
  process.env.NODE_COMPILE_CACHE ?? fileURLToPath(new URL('../.cache/compiled', import.meta.url)),
);

const { serve } = await import('./serve.ts');
// Kept once it is ready: then the functions of the start are compiled, too, and nobody waits for the writing.
await serve({ onReady: flushCompileCache });
