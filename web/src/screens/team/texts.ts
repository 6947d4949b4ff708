// The texts of members and invitations.

import { defineTexts } from '../../base/language.tsx';

export const useTeamTexts = defineTexts(
  {
    title: 'Team',
    invite: 'Invite somebody',
    members: 'Members',
    membersHint:
      'A company always keeps an owner, and only owners make, change or remove owners. Where you miss a button, that is why.',
    membersHintOwner: 'A company always keeps an owner. Only owners make, change or remove owners.',
    noMembers: 'There is nobody here.',
    email: 'E-mail address',
    roles: 'Roles',
    since: 'Since',
    actions: 'Actions',
    you: 'You',
    changeRoles: 'Change roles',
    remove: 'Remove',
    onlyOwner: 'The only owner',
    onlyOwnerHint: 'This is the only owner of the company. Make somebody else an owner first.',

    roleSays: {
      owner: 'May do everything, and alone makes and removes owners.',
      admin: 'May do everything but make, change or remove owners.',
      developer: 'Makes payment links, test keys and webhooks; refunds nothing and sees no balances.',
      support: 'Makes and sends payment links, refunds, exports and sees balances; no keys, no webhooks.',
      viewer: 'Sees payments and balances, and changes nothing.',
    },
    chooseRole: 'Choose at least one role.',

    inviteTitle: 'Invite somebody',
    inviteAct: 'Create the invitation',
    inviteTaken: 'Whoever has this address is a member already.',
    linkTitle: 'Pass this link on',
    linkLead:
      'This service has no mail server, so no mail goes out. Send the link where nobody else reads it: whoever has it can join.',
    mailedTitle: 'The invitation is on its way',
    mailedLead:
      'The link goes to this person by mail. You can also pass it on yourself, where nobody else reads it: whoever has it can join.',
    linkFor: 'It is good for one use and for this address:',
    linkUntil: 'until',
    link: 'Invitation link',
    linkOnce: 'It is shown this once. If it gets lost, invite the same address again; this link ends then.',

    invitations: 'Open invitations',
    invitationsHint: 'People who have not joined yet. The link was shown when the invitation was made.',
    noInvitations: 'No invitation is open. Invite somebody, and it stands here until it is used or ends.',
    invitedBy: 'Invited by',
    expires: 'Ends',
    revoke: 'Revoke',
    revokeTitle: 'Revoke the invitation?',
    revokeHint: 'The link will not be good any more for',
    revokeAct: 'Revoke the invitation',
    revoked: 'The invitation has been revoked.',

    changeTitle: 'Change roles',
    changeFor: 'Roles of',
    changeHint: 'They count from the next click on. Open invitations by this member end.',
    changed: 'The roles have been changed.',
    ownChange: 'These are your own roles. What you take away from yourself, you can’t give back to yourself.',

    removeTitle: 'Remove from the team?',
    removeHint: 'Signed out at once, and no way back in without a new invitation:',
    removeKeys: 'API keys belong to the company and stay.',
    removeAct: 'Remove from the team',
    removed: 'Removed from the team.',
    removeYouTitle: 'Remove yourself?',
    removeYou:
      'You will be signed out at once and can’t come back by yourself: somebody of your company has to invite you anew.',
    removeYouSure: 'I understand that I lose access to this company at once.',
    removeYouAct: 'Remove myself',
  },
  {
    title: 'Team',
    invite: 'Jemanden einladen',
    members: 'Mitglieder',
    membersHint:
      'Eine Firma behält immer einen Inhaber, und nur Inhaber ernennen, ändern oder entfernen Inhaber. Wo Ihnen ein Knopf fehlt, liegt es daran.',
    membersHintOwner:
      'Eine Firma behält immer einen Inhaber. Nur Inhaber ernennen, ändern oder entfernen Inhaber.',
    noMembers: 'Hier ist niemand.',
    email: 'E-Mail-Adresse',
    roles: 'Rollen',
    since: 'Seit',
    actions: 'Aktionen',
    you: 'Sie',
    changeRoles: 'Rollen ändern',
    remove: 'Entfernen',
    onlyOwner: 'Einziger Inhaber',
    onlyOwnerHint: 'Das ist der einzige Inhaber der Firma. Geben Sie zuerst jemand anderem diese Rolle.',

    roleSays: {
      owner: 'Darf alles und ernennt und entfernt als einzige Rolle Inhaber.',
      admin: 'Darf alles, außer Inhaber zu ernennen, zu ändern oder zu entfernen.',
      developer:
        'Erstellt Zahlungslinks, Testschlüssel und Webhooks; erstattet nichts und sieht keine Salden.',
      support:
        'Erstellt und versendet Zahlungslinks, erstattet, exportiert und sieht Salden; keine Schlüssel, keine Webhooks.',
      viewer: 'Sieht Zahlungen und Salden und ändert nichts.',
    },
    chooseRole: 'Wählen Sie mindestens eine Rolle.',

    inviteTitle: 'Jemanden einladen',
    inviteAct: 'Einladung anlegen',
    inviteTaken: 'Wer diese Adresse hat, ist schon Mitglied.',
    linkTitle: 'Geben Sie diesen Link weiter',
    linkLead:
      'Dieser Dienst hat keinen Mailserver und verschickt deshalb keine Mail. Senden Sie den Link so, dass niemand sonst mitliest: Wer ihn hat, kann beitreten.',
    mailedTitle: 'Die Einladung ist unterwegs',
    mailedLead:
      'Diese Person bekommt den Link per Mail. Sie können ihn auch selbst weitergeben, so dass niemand sonst mitliest: Wer ihn hat, kann beitreten.',
    linkFor: 'Er gilt einmal und nur für diese Adresse:',
    linkUntil: 'bis',
    link: 'Einladungslink',
    linkOnce:
      'Er wird nur jetzt gezeigt. Wenn er verloren geht, laden Sie dieselbe Adresse noch einmal ein; dieser Link gilt dann nicht mehr.',

    invitations: 'Offene Einladungen',
    invitationsHint: 'Wer noch nicht beigetreten ist. Der Link wurde beim Anlegen der Einladung gezeigt.',
    noInvitations:
      'Keine Einladung ist offen. Laden Sie jemanden ein; die Einladung steht dann hier, bis sie verwendet wird oder endet.',
    invitedBy: 'Eingeladen von',
    expires: 'Endet',
    revoke: 'Widerrufen',
    revokeTitle: 'Einladung widerrufen?',
    revokeHint: 'Der Link gilt dann nicht mehr für',
    revokeAct: 'Einladung widerrufen',
    revoked: 'Die Einladung wurde widerrufen.',

    changeTitle: 'Rollen ändern',
    changeFor: 'Rollen von',
    changeHint: 'Sie gelten ab dem nächsten Klick. Offene Einladungen dieses Mitglieds enden.',
    changed: 'Die Rollen wurden geändert.',
    ownChange:
      'Das sind Ihre eigenen Rollen. Was Sie sich selbst nehmen, können Sie sich nicht wieder geben.',

    removeTitle: 'Aus dem Team entfernen?',
    removeHint: 'Sofort abgemeldet, und ohne neue Einladung kein Weg zurück:',
    removeKeys: 'API-Schlüssel gehören der Firma und bleiben.',
    removeAct: 'Aus dem Team entfernen',
    removed: 'Aus dem Team entfernt.',
    removeYouTitle: 'Sich selbst entfernen?',
    removeYou:
      'Sie werden sofort abgemeldet und können nicht von selbst zurückkommen: Jemand aus Ihrer Firma muss Sie neu einladen.',
    removeYouSure: 'Mir ist klar, dass ich sofort keinen Zugang mehr zu dieser Firma habe.',
    removeYouAct: 'Mich selbst entfernen',
  },
);
