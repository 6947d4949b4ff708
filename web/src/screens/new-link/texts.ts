// The texts of a new payment link.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useNewLinkTexts = defineScreenTexts('newLink');
