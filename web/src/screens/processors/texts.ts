// The texts of payment providers.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useProcessorTexts = defineScreenTexts('processors');
