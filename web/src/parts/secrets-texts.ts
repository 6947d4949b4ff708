// The texts of secrets that are shown once.

import { defineTexts } from '../base/language.tsx';

export const useSecretTexts = defineTexts({
  once: [
    'This is shown now and never again. Copy it and keep it where only your programs can read it.',
    'Das wird nur jetzt angezeigt und nie wieder. Kopieren Sie es und bewahren Sie es dort auf, wo nur Ihre Programme es lesen können.',
  ],
  kept: ['I have kept it', 'Ich habe es aufbewahrt'],
  overlap: ['The old one stays good for', 'Der Vorgänger gilt noch'],
  overlaps: {
    '0': ['not at all: it ends at once', 'gar nicht mehr: Es endet sofort'],
    '1': ['1 hour', '1 Stunde'],
    '24': ['24 hours', '24 Stunden'],
    '72': ['3 days', '3 Tage'],
    '168': ['7 days', '7 Tage'],
  },
});
