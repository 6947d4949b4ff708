// Start.

import { Page } from '../../parts/page.tsx';

/** Start. */
export default function Start() {
  return <Page title="Start">{null}</Page>;
}
