// The first screen.

import { Page } from '../../parts/page.tsx';

/** The first screen. */
export default function Overview() {
  return <Page title="Overview">{null}</Page>;
}
