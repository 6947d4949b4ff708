// Which processors there are. The one file outside a processor's own folder that names one.

import type { Processors } from './processor.ts';
import { createSandbox, type SandboxDeps } from './sandbox/sandbox.ts';

/** What any processor is built with; `tell` takes what it says by itself. */
export type ProcessorDeps = SandboxDeps;

/** Builds every processor. `find` throws for a name that no processor has. */
export function createProcessors(deps: ProcessorDeps): Processors {
  const sandbox = createSandbox(deps);
  const byName = new Map([[sandbox.name, sandbox]]);
  return {
    default: sandbox,
    all: [sandbox],
    find: (name) => {
      const processor = byName.get(name);
      if (!processor) throw new Error(`there is no processor named ${name}`);
      return processor;
    },
  };
}
