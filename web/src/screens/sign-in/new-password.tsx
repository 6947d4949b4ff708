// New password.

import { Page } from '../../parts/page.tsx';

/** New password. */
export default function NewPassword() {
  return <Page title="NewPassword">{null}</Page>;
}
