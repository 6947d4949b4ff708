// The texts of members and invitations.

import { defineTexts } from '../../base/language.tsx';

export const useTeamTexts = defineTexts({
  title: ['Team', 'Team'],
  invite: ['Invite somebody', 'Jemanden einladen'],
  members: ['Members', 'Mitglieder'],
  membersHint: [
    'A company always keeps an owner, and only owners make, change or remove owners. Where you miss a button, that is why.',
    'Eine Firma behält immer einen Inhaber, und nur Inhaber ernennen, ändern oder entfernen Inhaber. Wo Ihnen ein Knopf fehlt, liegt es daran.',
  ],
  membersHintOwner: [
    'A company always keeps an owner. Only owners make, change or remove owners.',
    'Eine Firma behält immer einen Inhaber. Nur Inhaber ernennen, ändern oder entfernen Inhaber.',
  ],
  noMembers: ['There is nobody here.', 'Hier ist niemand.'],
  email: ['E-mail address', 'E-Mail-Adresse'],
  roles: ['Roles', 'Rollen'],
  since: ['Since', 'Seit'],
  actions: ['Actions', 'Aktionen'],
  you: ['You', 'Sie'],
  changeRoles: ['Change roles', 'Rollen ändern'],
  remove: ['Remove', 'Entfernen'],
  onlyOwner: ['The only owner', 'Einziger Inhaber'],
  onlyOwnerHint: [
    'This is the only owner of the company. Make somebody else an owner first.',
    'Das ist der einzige Inhaber der Firma. Geben Sie zuerst jemand anderem diese Rolle.',
  ],

  roleSays: {
    owner: [
      'May do everything, and alone makes and removes owners.',
      'Darf alles und ernennt und entfernt als einzige Rolle Inhaber.',
    ],
    admin: [
      'May do everything but make, change or remove owners.',
      'Darf alles, außer Inhaber zu ernennen, zu ändern oder zu entfernen.',
    ],
    developer: [
      'Makes payment links, test keys and webhooks; refunds nothing and sees no balances.',
      'Erstellt Zahlungslinks, Testschlüssel und Webhooks; erstattet nichts und sieht keine Salden.',
    ],
    support: [
      'Makes and sends payment links, refunds, exports and sees balances; no keys, no webhooks.',
      'Erstellt und versendet Zahlungslinks, erstattet, exportiert und sieht Salden; keine Schlüssel, keine Webhooks.',
    ],
    viewer: [
      'Sees payments and balances, and changes nothing.',
      'Sieht Zahlungen und Salden und ändert nichts.',
    ],
  },
  chooseRole: ['Choose at least one role.', 'Wählen Sie mindestens eine Rolle.'],

  inviteTitle: ['Invite somebody', 'Jemanden einladen'],
  inviteAct: ['Create the invitation', 'Einladung anlegen'],
  inviteTaken: [
    'Whoever has this address is a member already.',
    'Wer diese Adresse hat, ist schon Mitglied.',
  ],
  linkTitle: ['Pass this link on', 'Geben Sie diesen Link weiter'],
  linkLead: [
    'This service has no mail server, so no mail goes out. Send the link where nobody else reads it: whoever has it can join.',
    'Dieser Dienst hat keinen Mailserver und verschickt deshalb keine Mail. Senden Sie den Link so, dass niemand sonst mitliest: Wer ihn hat, kann beitreten.',
  ],
  mailedTitle: ['The invitation is on its way', 'Die Einladung ist unterwegs'],
  mailedLead: [
    'The link goes to this person by mail. You can also pass it on yourself, where nobody else reads it: whoever has it can join.',
    'Diese Person bekommt den Link per Mail. Sie können ihn auch selbst weitergeben, so dass niemand sonst mitliest: Wer ihn hat, kann beitreten.',
  ],
  linkFor: ['It is good for one use and for this address:', 'Er gilt einmal und nur für diese Adresse:'],
  linkUntil: ['until', 'bis'],
  link: ['Invitation link', 'Einladungslink'],
  linkOnce: [
    'It is shown this once. If it gets lost, invite the same address again; this link ends then.',
    'Er wird nur jetzt gezeigt. Wenn er verloren geht, laden Sie dieselbe Adresse noch einmal ein; dieser Link gilt dann nicht mehr.',
  ],

  invitations: ['Open invitations', 'Offene Einladungen'],
  invitationsHint: [
    'People who have not joined yet. The link was shown when the invitation was made.',
    'Wer noch nicht beigetreten ist. Der Link wurde beim Anlegen der Einladung gezeigt.',
  ],
  noInvitations: [
    'No invitation is open. Invite somebody, and it stands here until it is used or ends.',
    'Keine Einladung ist offen. Laden Sie jemanden ein; die Einladung steht dann hier, bis sie verwendet wird oder endet.',
  ],
  invitedBy: ['Invited by', 'Eingeladen von'],
  expires: ['Ends', 'Endet'],
  revoke: ['Revoke', 'Widerrufen'],
  revokeTitle: ['Revoke the invitation?', 'Einladung widerrufen?'],
  revokeHint: ['The link will not be good any more for', 'Der Link gilt dann nicht mehr für'],
  revokeAct: ['Revoke the invitation', 'Einladung widerrufen'],
  revoked: ['The invitation has been revoked.', 'Die Einladung wurde widerrufen.'],

  changeTitle: ['Change roles', 'Rollen ändern'],
  changeFor: ['Roles of', 'Rollen von'],
  changeHint: [
    'They count from the next click on. Open invitations by this member end.',
    'Sie gelten ab dem nächsten Klick. Offene Einladungen dieses Mitglieds enden.',
  ],
  changed: ['The roles have been changed.', 'Die Rollen wurden geändert.'],
  ownChange: [
    'These are your own roles. What you take away from yourself, you can’t give back to yourself.',
    'Das sind Ihre eigenen Rollen. Was Sie sich selbst nehmen, können Sie sich nicht wieder geben.',
  ],

  removeTitle: ['Remove from the team?', 'Aus dem Team entfernen?'],
  removeHint: [
    'Signed out at once, and no way back in without a new invitation:',
    'Sofort abgemeldet, und ohne neue Einladung kein Weg zurück:',
  ],
  removeKeys: ['API keys belong to the company and stay.', 'API-Schlüssel gehören der Firma und bleiben.'],
  removeAct: ['Remove from the team', 'Aus dem Team entfernen'],
  removed: ['Removed from the team.', 'Aus dem Team entfernt.'],
  removeYouTitle: ['Remove yourself?', 'Sich selbst entfernen?'],
  removeYou: [
    'You will be signed out at once and can’t come back by yourself: somebody of your company has to invite you anew.',
    'Sie werden sofort abgemeldet und können nicht von selbst zurückkommen: Jemand aus Ihrer Firma muss Sie neu einladen.',
  ],
  removeYouSure: [
    'I understand that I lose access to this company at once.',
    'Mir ist klar, dass ich sofort keinen Zugang mehr zu dieser Firma habe.',
  ],
  removeYouAct: ['Remove myself', 'Mich selbst entfernen'],
});
