// Settings.

import { Page } from '../../parts/page.tsx';

/** Settings. */
export default function Settings() {
  return <Page title="Settings">{null}</Page>;
}
