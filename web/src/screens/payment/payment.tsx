// One payment.

import { Page } from '../../parts/page.tsx';

/** One payment. */
export default function PaymentScreen() {
  return <Page title="PaymentScreen">{null}</Page>;
}
