// The texts of the company's settings.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useSettingsTexts = defineScreenTexts('settings');
