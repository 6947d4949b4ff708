// Forgotten.

import { Page } from '../../parts/page.tsx';

/** Forgotten. */
export default function ForgottenPassword() {
  return <Page title="ForgottenPassword">{null}</Page>;
}
