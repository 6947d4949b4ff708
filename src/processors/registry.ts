// The list of processors. docs/processors.md, "Another processor", has all steps to add one.

import type { Keyring } from '../base/keyring.ts';
import { createBankTransfer } from './bank-transfer/bank-transfer.ts';
import { createMollie } from './mollie/mollie.ts';
import { createPaypal } from './paypal/paypal.ts';
import type { ProcessorKind, ProcessorRegistry } from './processor.ts';
import { createSandbox, type SandboxDeps } from './sandbox/sandbox.ts';
import { createStripe } from './stripe/stripe.ts';
import { webhookProof } from './webhook-proof.ts';

/** `reportOutcome` receives unsolicited reports. `apiUrls`: addresses that differ from the usual ones, by name. */
export type ProcessorDeps = SandboxDeps & {
  apiUrls: Readonly<Record<string, string>>;
  keyring: Pick<Keyring, 'mac'>;
};

/** `find` throws for an unknown name. */
export function listProcessors(
  builtIn: ProcessorKind,
  others: readonly ProcessorKind[] = [],
): ProcessorRegistry {
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

/** In the order of display. */
export function createProcessors(deps: ProcessorDeps): ProcessorRegistry {
  const { baseUrl, apiUrls, keyring } = deps;
  // No test clock moves the time of another's server.
  const clock = deps.clock.real ?? deps.clock;
  return listProcessors(createSandbox(deps), [
    createStripe({ clock, apiUrl: apiUrls.stripe ?? null }),
    createMollie({
      baseUrl,
      clock,
      apiUrl: apiUrls.mollie ?? null,
      proveAddress: (subject) => webhookProof(keyring, subject),
    }),
    createPaypal({ clock, apiUrl: apiUrls.paypal ?? null }),
    createBankTransfer(deps),
  ]);
}
