// Which processors there are. The one file outside a processor's own folder that names one.

import { createBankTransfer } from './bank-transfer/bank-transfer.ts';
import type { ProcessorKind, Processors } from './processor.ts';
import { createSandbox, type SandboxDeps } from './sandbox/sandbox.ts';

/**
 * What any processor is built with; `tell` takes what it says by itself. `apiUrls` says where an API is, by the
 * processor's name, when not at its usual address.
 */
export type ProcessorDeps = SandboxDeps & { apiUrls: Readonly<Record<string, string>> };

/** A set of processors. `find` throws for a name that none has. */
export function listProcessors(builtIn: ProcessorKind, others: readonly ProcessorKind[] = []): Processors {
  const kinds = [builtIn, ...others];
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  return {
    builtIn,
    kinds,
    find: (name) => {
      const kind = byName.get(name);
      if (!kind) throw new Error(`there is no processor named ${name}`);
      return kind;
    },
  };
}

/** Builds every processor. */
export function createProcessors(deps: ProcessorDeps): Processors {
  return listProcessors(createSandbox(deps), [createBankTransfer(deps)]);
}
