// Team.

import { Page } from '../../parts/page.tsx';

/** Team. */
export default function Team() {
  return <Page title="Team">{null}</Page>;
}
