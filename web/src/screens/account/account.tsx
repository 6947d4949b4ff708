// Account.

import { Page } from '../../parts/page.tsx';

/** Account. */
export default function Account() {
  return <Page title="Account">{null}</Page>;
}
