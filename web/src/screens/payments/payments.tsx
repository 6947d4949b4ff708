// Payments.

import { Page } from '../../parts/page.tsx';

/** Payments. */
export default function Payments() {
  return <Page title="Payments">{null}</Page>;
}
