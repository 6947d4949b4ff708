// Loads Stripe's package on first use: it is one of the largest, and most services never call Stripe.
// Synchronously, because signatures are verified in synchronous functions. Must not be imported directly,
// except for its types.

import { createRequire } from 'node:module';
import type Stripe from 'stripe';

let loaded: typeof Stripe | null = null;

/** Stripe's package; the first call takes some tens of milliseconds. */
export function stripePackage(): typeof Stripe {
  loaded ??= createRequire(import.meta.url)('stripe') as typeof Stripe;
  return loaded;
}
