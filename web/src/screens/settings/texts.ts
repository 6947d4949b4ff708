// The texts of the company's settings.

import { counted, defineTexts } from '../../base/language.tsx';
import { screenTexts } from '../../texts/screen-texts.ts';

export const useSettingsTexts = defineTexts({
  ...screenTexts,
  unsaved: ['Unsaved changes', 'Nicht gespeichert'],
  discard: ['Discard changes', 'Änderungen verwerfen'],
  discarded: ['Your changes were discarded.', 'Ihre Änderungen wurden verworfen.'],
  nothingChanged: ['Nothing has changed.', 'Es hat sich nichts geändert.'],
  readOnly: [
    'Your role can view the settings. Owners and administrators can change them.',
    'Ihre Rolle kann die Einstellungen ansehen. Ändern können sie die Rollen Inhaber und Verwaltung.',
  ],
  errors: {
    color: ['Enter a colour such as #1849a9.', 'Geben Sie eine Farbe wie #1849a9 ein.'],
    contrast: [
      'White text is too hard to read on this colour. Choose a darker one.',
      'Weißer Text ist auf dieser Farbe zu schlecht lesbar. Wählen Sie eine dunklere.',
    ],
    origin: [
      'Enter an origin such as https://shop.example, without a path.',
      'Geben Sie eine Adresse wie https://shop.example ein, ohne Pfad.',
    ],
    repeated: ['This origin is already in the list.', 'Diese Adresse steht schon in der Liste.'],
    hours: [
      'Enter a whole number of hours from 1 to 168, or leave it empty.',
      'Geben Sie eine ganze Zahl von 1 bis 168 Stunden ein, oder lassen Sie das Feld leer.',
    ],
  },
  branding: ['Branding', 'Erscheinungsbild'],
  brandingHint: [
    'The name, colour and logo on your payment pages and in emails to customers.',
    'Name, Farbe und Logo auf Ihren Zahlungsseiten und in E-Mails an Kunden.',
  ],
  name: ['Company name', 'Name der Firma'],
  nameHint: ['Customers see it on the payment page.', 'Kunden sehen ihn auf der Zahlungsseite.'],
  color: ['Button colour', 'Farbe der Schaltflächen'],
  colorPick: ['Choose the colour', 'Farbe auswählen'],
  colorHint: [
    'Such as #1849a9. Leave it empty for the default blue.',
    'Zum Beispiel #1849a9. Ohne Angabe gilt das Standardblau.',
  ],
  contrast: [
    (ratio: string) => `Contrast with white text: ${ratio} : 1`,
    (ratio: string) => `Kontrast zu weißem Text: ${ratio} : 1`,
  ],
  readable: ['Easy to read', 'Gut lesbar'],
  poorlyReadable: ['Hard to read', 'Schlecht lesbar'],
  contrastNeeded: [
    'At least 4.5 : 1 is required, so that everyone can read the buttons.',
    'Nötig sind mindestens 4,5 : 1, damit alle die Schaltflächen lesen können.',
  ],
  useShade: [(color: string) => `Use ${color} instead`, (color: string) => `Stattdessen ${color} verwenden`],
  preview: ['Preview', 'Vorschau'],
  previewTitle: ['Preview of the payment page', 'Vorschau der Zahlungsseite'],
  previewHint: [
    'Your payment page with the values that you have entered, including unsaved ones.',
    'Ihre Zahlungsseite mit den eingetragenen Werten, auch den nicht gespeicherten.',
  ],
  previewFailed: [
    'The preview could not be updated. This is the previous one.',
    'Die Vorschau konnte nicht aktualisiert werden. Das ist die vorige.',
  ],
  window: ['Device', 'Gerät'],
  phone: ['Phone', 'Telefon'],
  desktop: ['Computer', 'Computer'],
  page: ['Page', 'Seite'],
  states: {
    open: ['Paying', 'Bezahlen'],
    processing: ['Payment in progress', 'Zahlung in Bearbeitung'],
    paid: ['Paid', 'Bezahlt'],
    failed: ['Failed', 'Fehlgeschlagen'],
    expired: ['Link expired', 'Link abgelaufen'],
    cancelled: ['Link cancelled', 'Link storniert'],
  },
  countryHint: [
    'The default for phone numbers without a country code, and for payments without a country.',
    'Die Vorgabe für Telefonnummern ohne Landesvorwahl und für Zahlungen ohne Land.',
  ],
  retryPolicy: ['After a declined card', 'Nach einer abgelehnten Karte'],
  retryHint: [
    'Whether a customer can try again on the same link. After the third decline, the payment fails.',
    'Ob ein Kunde es auf demselben Link erneut versuchen kann. Nach der dritten Ablehnung schlägt die Zahlung fehl.',
  ],
  retry: {
    none: ['The payment fails', 'Die Zahlung schlägt fehl'],
    fixable: ['Retry where it can help', 'Neuer Versuch, wo er helfen kann'],
    all: ['Always retry', 'Immer ein neuer Versuch'],
  },
  retryHints: {
    none: [
      'Every decline fails the payment. To try again, create a new link.',
      'Jede Ablehnung lässt die Zahlung fehlschlagen. Für einen neuen Versuch legen Sie einen neuen Link an.',
    ],
    fixable: [
      'After a wrong security code, an expired card, a failed authentication or a technical error. A decline by the bank fails the payment.',
      'Nach falscher Prüfnummer, abgelaufener Karte, gescheiterter Bestätigung oder technischem Fehler. Lehnt die Bank ab, schlägt die Zahlung fehl.',
    ],
    all: [
      'Also after a decline by the bank, for example with another card.',
      'Auch wenn die Bank ablehnt, zum Beispiel mit einer anderen Karte.',
    ],
  },
  loginMode: ['Default mode of API logins', 'Standardmodus von API-Anmeldungen'],
  loginModeHint: [
    'The mode of the API key that a login returns, unless the request names a mode. The dashboard also opens in it until you choose another.',
    'Der Modus des API-Schlüssels, den eine Anmeldung liefert, wenn die Anfrage keinen nennt. Auch das Dashboard öffnet in diesem Modus, bis Sie einen anderen wählen.',
  ],
  loginModes: { test: ['Test mode', 'Testmodus'], live: ['Live mode', 'Live-Modus'] },
  loginModeHints: {
    test: [
      'No real money moves unless a program requests live mode.',
      'Es fließt kein echtes Geld, solange ein Programm nicht den Live-Modus verlangt.',
    ],
    live: [
      'Real money moves. Requires a live API key that does not expire.',
      'Es fließt echtes Geld. Dafür braucht es einen Live-Schlüssel, der nicht abläuft.',
    ],
  },
  origins: ['Allowed return addresses', 'Erlaubte Rückkehradressen'],
  originsHint: [
    'A payment link sends customers back to your shop. If you list origins, links to all other addresses are refused, so a stolen key cannot send your customers elsewhere.',
    'Ein Zahlungslink führt Kunden zu Ihrem Shop zurück. Mit einer Liste werden alle anderen Adressen abgelehnt, sodass ein gestohlener Schlüssel Ihre Kunden nicht woandershin führen kann.',
  ],
  anyOrigin: [
    'No origins listed: all addresses are allowed.',
    'Die Liste ist leer: Jede Adresse ist erlaubt.',
  ],
  origin: [(number: number) => `Origin ${number}`, (number: number) => `Adresse ${number}`],
  addOrigin: ['Add an origin', 'Adresse hinzufügen'],
  removeOrigin: [(origin: string) => `Remove ${origin}`, (origin: string) => `${origin} entfernen`],
  removed: ['Removed. Save to apply.', 'Entfernt. Speichern Sie, damit es gilt.'],
  fullOrigins: ['20 origins are the maximum.', 'Mehr als 20 Adressen sind nicht möglich.'],
  emails: ['Emails', 'E-Mails'],
  emailsHint: [
    'Paylink emails your customers and you. In test mode, the emails say so.',
    'Paylink schreibt an Kunden und an Sie. Im Testmodus steht das in den E-Mails.',
  ],
  receipts: ['Receipts for customers', 'Belege für Kunden'],
  receiptsHint: [
    'An email with a link to the receipt after each payment and refund.',
    'Eine E-Mail mit einem Link zum Beleg nach jeder Zahlung und Erstattung.',
  ],
  attachReceipts: ['Attach the receipt as a PDF', 'Beleg als PDF anhängen'],
  attachReceiptsHint: [
    'Without it, customers open the receipt by the link in the email.',
    'Ohne Anhang öffnen Kunden den Beleg über den Link in der E-Mail.',
  ],
  notices: ['Email me about each payment', 'Mich über jede Zahlung benachrichtigen'],
  noticesHint: [
    'An email to you when a payment is paid, and when a customer asks for a new link.',
    'Eine E-Mail an Sie, wenn eine Zahlung bezahlt ist und wenn ein Kunde um einen neuen Link bittet.',
  ],
  noticeAddress: ['Your notification address', 'Adresse für Benachrichtigungen'],
  noticeAddressHint: [
    'Also for alerts about webhook endpoints that were switched off. Without an address, the longest-standing owner gets them.',
    'Auch für Hinweise auf abgeschaltete Webhook-Endpunkte. Ohne Adresse gehen sie an den Inhaber, der am längsten dabei ist.',
  ],
  replyTo: ['Reply-to address', 'Antwortadresse'],
  replyToHint: [
    'Replies of customers go to this address, such as help@shop.example.',
    'Antworten von Kunden gehen an diese Adresse, zum Beispiel hilfe@shop.example.',
  ],
  reminderHours: ['Remind customers of unpaid links', 'Kunden an unbezahlte Links erinnern'],
  reminderHint: [
    'Hours before the link expires, 1 to 168. Leave it empty for no reminder.',
    'Stunden, bevor der Link abläuft, 1 bis 168. Ohne Angabe wird niemand erinnert.',
  ],
  noReplyTo: ['None', 'Keine'],
  toOwner: ['The longest-standing owner', 'Der Inhaber, der am längsten dabei ist'],
  reminderBefore: counted(['hour before', 'hours before'], ['Stunde vorher', 'Stunden vorher']),
  defaultColor: ['Default blue', 'Standardblau'],
});
