// The texts of secrets that are shown once.

import { defineTexts } from '../base/language.tsx';

export const useSecretTexts = defineTexts({
  once: [
    'This is shown only now. Copy it, and store it where only your programs can read it.',
    'Das wird nur jetzt angezeigt. Kopieren Sie es, und speichern Sie es so, dass nur Ihre Programme es lesen können.',
  ],
  stored: ['I have saved it', 'Ich habe es gespeichert'],
  overlap: ['Keep the old one valid for', 'Bisheriges bleibt gültig'],
  overlaps: {
    '0': ['no time: it ends immediately', 'nicht: endet sofort'],
    '1': ['1 hour', '1 Stunde'],
    '24': ['24 hours', '24 Stunden'],
    '72': ['3 days', '3 Tage'],
    '168': ['7 days', '7 Tage'],
  },
});
