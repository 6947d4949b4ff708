// The members of the company, their roles, and open invitations.

import { useState } from 'preact/hooks';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { Page } from '../../parts/page.tsx';
import { InvitationsSection } from './invitations-section.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MembersSection, useMembers } from './members-section.tsx';
import { useTeamTexts } from './texts.ts';
import './team.css';

/** The team. */
export default function Team() {
  const texts = useTeamTexts();
  const { may } = useSession();
  const [isInviting, setIsInviting] = useState(false);
  const members = useMembers();
  const invite = may('members:manage') && (
    <Button weight="main" onClick={() => setIsInviting(true)}>
      {texts.invite}
    </Button>
  );
  return (
    <Page title={texts.title} actions={invite}>
      <MembersSection list={members} />
      <InvitationsSection members={members} />
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} />}
    </Page>
  );
}
