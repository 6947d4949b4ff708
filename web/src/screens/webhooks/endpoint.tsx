// One endpoint.

import { Page } from '../../parts/page.tsx';

/** One endpoint. */
export default function EndpointScreen() {
  return <Page title="EndpointScreen">{null}</Page>;
}
