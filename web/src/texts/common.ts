// Texts that many parts of the dashboard use. Each screen also has its own texts.

import { defineTexts } from './texts.ts';

export const useCommonTexts = defineTexts('common');
