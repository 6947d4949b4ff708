// Loads Stripe's package when it is first asked for: it is among the largest, and most services never call Stripe. At
// once and not by a promise, because signatures are checked in functions that wait for nothing. It must never be
// imported in the ordinary way, but for its types.

import { createRequire } from 'node:module';
import type Stripe from 'stripe';

let loaded: typeof Stripe | null = null;

/** Stripe's package; the first call takes some tens of milliseconds. */
export function stripePackage(): typeof Stripe {
  loaded ??= createRequire(import.meta.url)('stripe') as typeof Stripe;
  return loaded;
}
