// The texts of the frame of every screen.

import { defineScreenTexts } from '../texts/texts.ts';

export const useShellTexts = defineScreenTexts('shell');
