// The texts of secrets that are shown once.

import { defineTexts } from '../base/language.tsx';

export const useSecretTexts = defineTexts(
  {
    once: 'This is shown now and never again. Copy it and keep it where only your programs can read it.',
    kept: 'I have kept it',
    overlap: 'The old one stays good for',
    overlaps: {
      '0': 'not at all: it ends at once',
      '1': '1 hour',
      '24': '24 hours',
      '72': '3 days',
      '168': '7 days',
    },
  },
  {
    once: 'Das wird nur jetzt angezeigt und nie wieder. Kopieren Sie es und bewahren Sie es dort auf, wo nur Ihre Programme es lesen können.',
    kept: 'Ich habe es aufbewahrt',
    overlap: 'Der Vorgänger gilt noch',
    overlaps: {
      '0': 'gar nicht mehr: Es endet sofort',
      '1': '1 Stunde',
      '24': '24 Stunden',
      '72': '3 Tage',
      '168': '7 Tage',
    },
  },
);
