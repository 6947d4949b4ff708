// The texts of the request log.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useRequestTexts = defineScreenTexts('requests');
