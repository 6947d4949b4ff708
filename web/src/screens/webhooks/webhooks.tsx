// Endpoints.

import { Page } from '../../parts/page.tsx';

/** Endpoints. */
export default function Webhooks() {
  return <Page title="Webhooks">{null}</Page>;
}
