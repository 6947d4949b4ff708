// The texts of the logo and of the company's contact and legal data.

import { defineTexts } from '../../base/language.tsx';

export const useIdentityTexts = defineTexts({
  logos: {
    light: ['Logo', 'Logo'],
    dark: ['Logo on dark pages', 'Logo auf dunklen Seiten'],
  },
  logoHints: {
    light: [
      'An SVG, or a PNG of at most 100,000 bytes. The page shows it on white. It is saved at once.',
      'Ein SVG oder ein PNG mit höchstens 100.000 Byte. Die Seite zeigt es auf Weiß. Es wird sofort gespeichert.',
    ],
    dark: [
      'Optional, for customers whose device uses dark colours. Without it they see the logo on white.',
      'Optional, für Kunden, deren Gerät dunkle Farben verwendet. Ohne dieses Bild sehen sie das Logo auf Weiß.',
    ],
  },
  noLogos: { light: ['No logo', 'Kein Logo'], dark: ['No dark variant', 'Keine dunkle Variante'] },
  chooseLogos: {
    light: ['Choose a logo…', 'Logo auswählen …'],
    dark: ['Choose a dark variant…', 'Dunkle Variante auswählen …'],
  },
  removeLogos: {
    light: ['Remove the logo', 'Logo entfernen'],
    dark: ['Remove the dark variant', 'Dunkle Variante entfernen'],
  },
  logoSaved: ['The logo is saved.', 'Das Logo ist gespeichert.'],
  logoRemoved: ['The logo is removed.', 'Das Logo ist entfernt.'],
  wrongType: ['Choose a PNG or an SVG file.', 'Wählen Sie eine PNG- oder eine SVG-Datei aus.'],
  tooLarge: [
    'This file is too large. Choose a simpler or smaller one.',
    'Diese Datei ist zu groß. Wählen Sie eine einfachere oder kleinere aus.',
  ],
  refusedFile: ['The file was refused:', 'Die Datei wurde abgelehnt:'],
  identity: ['Contact and legal', 'Kontakt und Rechtliches'],
  identityHint: [
    'Customers see it at the foot of payment pages, in emails and on receipts.',
    'Kunden sehen es am Fuß der Zahlungsseiten, in E-Mails und auf Belegen.',
  ],
  supportEmail: ['Support email', 'E-Mail-Adresse für Fragen'],
  supportEmailHint: [
    'Replies to emails go there, too, unless you set a reply-to address.',
    'Auch Antworten auf E-Mails gehen dorthin, wenn Sie keine Antwortadresse angeben.',
  ],
  supportPhone: ['Support phone', 'Telefon für Fragen'],
  website: ['Website', 'Website'],
  postalAddress: ['Postal address', 'Postanschrift'],
  postalAddressHint: [
    'At most 5 lines, without the name of the company.',
    'Höchstens 5 Zeilen, ohne den Namen der Firma.',
  ],
  vatId: ['VAT number', 'USt-IdNr.'],
  imprintUrl: ['Imprint', 'Impressum'],
  termsUrl: ['Terms and conditions', 'AGB'],
  privacyUrl: ['Privacy policy', 'Datenschutzerklärung'],
  statementDescriptor: ['Text on card statements', 'Text auf Kartenabrechnungen'],
  statementHint: [
    '5 to 22 Latin letters, digits, spaces and . - *, where the payment provider supports it.',
    '5 bis 22 lateinische Buchstaben, Ziffern, Leerzeichen und . - *, wenn der Zahlungsanbieter es unterstützt.',
  ],
  notGiven: ['Not given', 'Nicht angegeben'],
});
