// The texts of members and invitations.

import { defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const useTeamTexts = defineTexts({
  ...screenTexts,
  invite: ['Invite a member', 'Mitglied einladen'],
  members: ['Members', 'Mitglieder'],
  membersHint: [
    'A company needs at least one owner. Only owners can add, change or remove owners.',
    'Eine Firma braucht mindestens einen Inhaber. Nur Inhaber können Inhaber hinzufügen, ändern oder entfernen.',
  ],
  noMembers: ['No members.', 'Keine Mitglieder.'],
  you: ['You', 'Sie'],
  changeRoles: ['Change roles', 'Rollen ändern'],
  remove: ['Remove', 'Entfernen'],
  onlyOwner: ['Only owner', 'Einziger Inhaber'],
  onlyOwnerHint: [
    'This is the only owner of the company. Add another owner first.',
    'Das ist der einzige Inhaber der Firma. Geben Sie zuerst einer anderen Person diese Rolle.',
  ],

  roleHints: {
    owner: [
      'Full access, including adding and removing owners.',
      'Voller Zugriff, auch um Inhaber hinzuzufügen und zu entfernen.',
    ],
    admin: [
      'Full access, except for adding, changing or removing owners.',
      'Voller Zugriff, außer um Inhaber hinzuzufügen, zu ändern oder zu entfernen.',
    ],
    developer: [
      'Creates payment links, test keys and webhooks. No refunds, no balances.',
      'Erstellt Zahlungslinks, Testschlüssel und Webhooks. Keine Erstattungen, keine Salden.',
    ],
    support: [
      'Creates and sends payment links, refunds, exports and views balances. No keys, no webhooks.',
      'Erstellt und versendet Zahlungslinks, erstattet, exportiert und sieht Salden. Keine Schlüssel, keine Webhooks.',
    ],
    viewer: ['Views payments and balances. No changes.', 'Sieht Zahlungen und Salden. Keine Änderungen.'],
  },
  chooseRole: ['Choose at least one role.', 'Wählen Sie mindestens eine Rolle.'],

  inviteAct: ['Create the invitation', 'Einladung anlegen'],
  inviteTaken: [
    'This email address belongs to a member of your company.',
    'Diese E-Mail-Adresse gehört zu einem Mitglied Ihrer Firma.',
  ],
  linkTitle: ['Send this link', 'Senden Sie diesen Link'],
  linkLead: [
    'This service does not send emails. Send the link to the person yourself, in private: anyone with the link can join.',
    'Dieser Dienst verschickt keine E-Mails. Senden Sie den Link selbst und vertraulich: Wer ihn hat, kann beitreten.',
  ],
  mailedTitle: ['Invitation sent', 'Einladung gesendet'],
  mailedLead: [
    'Paylink emails the link to this person. You can also send it yourself, in private: anyone with the link can join.',
    'Diese Person bekommt den Link per E-Mail. Sie können ihn auch selbst und vertraulich senden: Wer ihn hat, kann beitreten.',
  ],
  linkFor: ['The link works once, for this address:', 'Der Link gilt einmal, für diese Adresse:'],
  linkUntil: ['until', 'bis'],
  link: ['Invitation link', 'Einladungslink'],
  linkOnce: [
    'The link is shown only now. If it is lost, invite the same address again: this link then no longer works.',
    'Der Link wird nur jetzt angezeigt. Wenn er verloren geht, laden Sie dieselbe Adresse erneut ein: Dieser Link gilt dann nicht mehr.',
  ],

  invitations: ['Open invitations', 'Offene Einladungen'],
  invitationsHint: [
    'People who have not joined yet. Their links were shown when you invited them.',
    'Wer noch nicht beigetreten ist. Die Links wurden beim Einladen angezeigt.',
  ],
  noInvitations: ['No open invitations.', 'Keine offenen Einladungen.'],
  invitedBy: ['Invited by', 'Eingeladen von'],
  revokeHint: ['The link will no longer work for', 'Der Link gilt dann nicht mehr für'],
  revokeAct: ['Revoke the invitation', 'Einladung widerrufen'],
  revoked: ['The invitation was revoked.', 'Die Einladung wurde widerrufen.'],

  changeFor: ['Roles of', 'Rollen von'],
  changeHint: [
    'The change applies immediately. Open invitations by this member end.',
    'Die Änderung gilt sofort. Offene Einladungen dieses Mitglieds enden.',
  ],
  changed: ['The roles were changed.', 'Die Rollen wurden geändert.'],
  ownChange: [
    'These are your own roles. You can’t restore roles that you remove from yourself.',
    'Das sind Ihre eigenen Rollen. Rollen, die Sie sich entziehen, können Sie sich nicht wieder geben.',
  ],

  removeHint: [
    'Loses access immediately. To return, they need a new invitation:',
    'Verliert sofort den Zugang. Für eine Rückkehr ist eine neue Einladung nötig:',
  ],
  removeKeys: [
    'API keys belong to the company and keep working.',
    'API-Schlüssel gehören der Firma und gelten weiter.',
  ],
  removeAct: ['Remove from the team', 'Aus dem Team entfernen'],
  removed: ['The member was removed.', 'Das Mitglied wurde entfernt.'],
  removeYouTitle: ['Remove yourself?', 'Sich selbst entfernen?'],
  removeYou: [
    'You lose access immediately. To return, you need a new invitation from your company.',
    'Sie verlieren sofort den Zugang. Für eine Rückkehr brauchen Sie eine neue Einladung Ihrer Firma.',
  ],
  removeYouSure: [
    'I understand that I lose access to this company immediately.',
    'Mir ist klar, dass ich sofort keinen Zugang mehr zu dieser Firma habe.',
  ],
  removeYouAct: ['Remove myself', 'Mich selbst entfernen'],
});
