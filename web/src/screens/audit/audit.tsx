// Audit.

import { Page } from '../../parts/page.tsx';

/** Audit. */
export default function Audit() {
  return <Page title="Audit">{null}</Page>;
}
