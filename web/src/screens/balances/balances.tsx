// Balances.

import { Page } from '../../parts/page.tsx';

/** Balances. */
export default function Balances() {
  return <Page title="Balances">{null}</Page>;
}
