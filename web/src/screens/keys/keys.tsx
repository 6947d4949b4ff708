// Keys.

import { Page } from '../../parts/page.tsx';

/** Keys. */
export default function Keys() {
  return <Page title="Keys">{null}</Page>;
}
