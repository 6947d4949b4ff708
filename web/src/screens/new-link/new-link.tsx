// A new link.

import { Page } from '../../parts/page.tsx';

/** A new link. */
export default function NewLink() {
  return <Page title="NewLink">{null}</Page>;
}
