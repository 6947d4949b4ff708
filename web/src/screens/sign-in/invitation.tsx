// Invitation.

import { Page } from '../../parts/page.tsx';

/** Invitation. */
export default function Invitation() {
  return <Page title="Invitation">{null}</Page>;
}
