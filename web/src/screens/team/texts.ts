// The texts of members and invitations.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useTeamTexts = defineScreenTexts('team');
