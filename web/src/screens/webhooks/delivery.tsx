// One delivery.

import { Page } from '../../parts/page.tsx';

/** One delivery. */
export default function DeliveryScreen() {
  return <Page title="DeliveryScreen">{null}</Page>;
}
