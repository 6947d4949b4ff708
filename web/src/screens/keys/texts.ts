// The texts of API keys and service keys.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useKeyTexts = defineScreenTexts('keys');
export const useServiceKeyTexts = defineScreenTexts('serviceKeys');
