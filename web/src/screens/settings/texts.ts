// The texts of the company's settings.

import { defineTexts } from '../../base/language.tsx';

export const useSettingsTexts = defineTexts({
  title: ['Settings', 'Einstellungen'],
  unsaved: ['Not saved yet', 'Noch nicht gespeichert'],
  discard: ['Discard changes', 'Änderungen verwerfen'],
  discarded: ['Your changes were discarded.', 'Ihre Änderungen wurden verworfen.'],
  undo: ['Undo', 'Rückgängig machen'],
  nothingChanged: ['Nothing has changed.', 'Es hat sich nichts geändert.'],
  readOnly: [
    'Your role can look at the settings. Owners and administrators can change them.',
    'Ihre Rolle kann die Einstellungen ansehen. Ändern können sie die Rollen Inhaber und Verwaltung.',
  ],
  faults: {
    noColor: ['Write a colour like #1849a9.', 'Geben Sie eine Farbe wie #1849a9 ein.'],
    unreadable: [
      'White text on this colour is too hard to read. Take a darker one.',
      'Weißer Text ist auf dieser Farbe zu schlecht lesbar. Nehmen Sie eine dunklere.',
    ],
    noOrigin: [
      'Write an origin like https://shop.example: no path and nothing behind it.',
      'Geben Sie eine Adresse wie https://shop.example ein, ohne Pfad und ohne etwas dahinter.',
    ],
    twice: ['This one is in the list already.', 'Diese steht schon in der Liste.'],
    noHours: [
      'Write a whole number of hours from 1 to 168, or leave it empty.',
      'Geben Sie eine ganze Zahl von 1 bis 168 Stunden ein, oder lassen Sie das Feld leer.',
    ],
  },
  look: ['What customers see', 'Was Kunden sehen'],
  lookHint: [
    'The name, colour and logo on your payment pages and in mails to customers.',
    'Name, Farbe und Logo auf Ihren Zahlungsseiten und in E-Mails an Kunden.',
  ],
  name: ['Name of the company', 'Name der Firma'],
  nameHint: ['Customers see it as whom they pay.', 'Kunden sehen ihn als den, an den sie bezahlen.'],
  color: ['Colour of the buttons', 'Farbe der Schaltflächen'],
  colorPick: ['Choose the colour', 'Farbe auswählen'],
  colorHint: [
    'Such as #1849a9. Leave it empty for our blue.',
    'Zum Beispiel #1849a9. Ohne Angabe gilt unser Blau.',
  ],
  contrast: [
    (ratio: string) => `Contrast to white text: ${ratio} : 1`,
    (ratio: string) => `Kontrast zu weißem Text: ${ratio} : 1`,
  ],
  readable: ['Easy to read', 'Gut lesbar'],
  unreadable: ['Too little', 'Zu wenig'],
  contrastNeeded: [
    'At least 4.5 : 1 is needed, so that everybody can read the buttons.',
    'Nötig sind mindestens 4,5 : 1, damit alle die Schaltflächen lesen können.',
  ],
  takeShade: [(color: string) => `Take ${color} instead`, (color: string) => `Stattdessen ${color} nehmen`],
  logo: ['Logo', 'Logo'],
  logoHint: [
    'A PNG picture. It stands 48 pixels high on white at the top of the page. A larger one is scaled down here.',
    'Ein Bild im Format PNG. Es steht 48 Pixel hoch auf Weiß oben auf der Seite. Ein größeres wird hier verkleinert.',
  ],
  noLogo: ['No logo', 'Kein Logo'],
  chooseLogo: ['Choose a PNG…', 'PNG auswählen …'],
  chooseOtherLogo: ['Choose another PNG…', 'Anderes PNG auswählen …'],
  removeLogo: ['Remove the logo', 'Logo entfernen'],
  logoAlt: ['Your logo', 'Ihr Logo'],
  logoSize: [
    (width: number, height: number, bytes: string) => `${width} × ${height} pixels, ${bytes} bytes`,
    (width: number, height: number, bytes: string) => `${width} × ${height} Pixel, ${bytes} Byte`,
  ],
  logoScaled: [
    'The picture was scaled down, so that it loads quickly.',
    'Das Bild wurde verkleinert, damit es schnell lädt.',
  ],
  logoTaken: ['The picture fits as it is.', 'Das Bild passt, wie es ist.'],
  logoRemoved: ['The logo is removed once you save.', 'Das Logo wird entfernt, sobald Sie speichern.'],
  logoFaults: {
    notPng: [
      'This is not a PNG picture. Save it as PNG and choose it again.',
      'Das ist kein Bild im Format PNG. Speichern Sie es als PNG und wählen Sie es noch einmal aus.',
    ],
    damaged: [
      'This picture is damaged and cannot be read.',
      'Dieses Bild ist beschädigt und lässt sich nicht lesen.',
    ],
    tooLarge: [
      'This picture is too large, also when it is scaled down. Choose a simpler one.',
      'Dieses Bild ist auch verkleinert zu groß. Wählen Sie ein einfacheres aus.',
    ],
  },
  preview: ['Preview', 'Vorschau'],
  previewTitle: ['Preview of the payment page', 'Vorschau der Zahlungsseite'],
  previewHint: [
    'Your payment page with what you have entered, also before you save it.',
    'Ihre Zahlungsseite mit dem, was Sie eingetragen haben, auch bevor Sie es speichern.',
  ],
  previewFailed: [
    'There is no preview of what you have entered at the moment. This is the last one.',
    'Von dem, was eingetragen ist, gibt es gerade keine Vorschau. Das ist die letzte.',
  ],
  window: ['Window', 'Fenster'],
  phone: ['Phone', 'Telefon'],
  desk: ['Computer', 'Computer'],
  pageLanguage: ['Language of the page', 'Sprache der Seite'],
  pageState: ['Page', 'Seite'],
  states: {
    open: ['Paying', 'Bezahlen'],
    processing: ['Payment in progress', 'Zahlung in Arbeit'],
    paid: ['Paid', 'Bezahlt'],
    failed: ['Failed', 'Fehlgeschlagen'],
    expired: ['Link expired', 'Link abgelaufen'],
    cancelled: ['Link cancelled', 'Link storniert'],
  },
  paying: ['Payments', 'Zahlungen'],
  country: ['Country', 'Land'],
  countryHint: [
    'For phone numbers without a country code, and for payments that name no country.',
    'Für Telefonnummern ohne Landesvorwahl und für Zahlungen, die kein Land nennen.',
  ],
  retryPolicy: ['After a declined card', 'Nach einer abgelehnten Karte'],
  retryHint: [
    'Whether a customer may try again on the same link. The third decline always ends it.',
    'Ob ein Kunde es auf demselben Link noch einmal versuchen darf. Die dritte Ablehnung beendet ihn immer.',
  ],
  retry: {
    none: ['The link ends', 'Der Link endet'],
    fixable: ['Try again where that can help', 'Neuer Versuch, wo er helfen kann'],
    all: ['Always try again', 'Immer ein neuer Versuch'],
  },
  retryHints: {
    none: [
      'Any decline fails the payment. For another try you make a new link.',
      'Jede Ablehnung lässt die Zahlung fehlschlagen. Für einen neuen Versuch legen Sie einen neuen Link an.',
    ],
    fixable: [
      'After a wrong security code, an expired card, a failed confirmation or a technical fault. A decline by the bank fails the payment.',
      'Nach falscher Prüfziffer, abgelaufener Karte, gescheiterter Bestätigung oder technischem Fehler. Lehnt die Bank ab, schlägt die Zahlung fehl.',
    ],
    all: [
      'Also after a decline by the bank, for instance with another card.',
      'Auch wenn die Bank ablehnt, zum Beispiel mit einer anderen Karte.',
    ],
  },
  loginMode: ['Programs that log in work in', 'Programme, die sich anmelden, arbeiten im'],
  loginModeHint: [
    'Which API key a login by the API returns when it names no mode. The dashboard, too, opens in this mode where you have chosen none.',
    'Welchen API-Schlüssel eine Anmeldung über die API bekommt, die keinen Modus nennt. Auch diese Seiten öffnen in diesem Modus, solange Sie keinen gewählt haben.',
  ],
  loginModes: {
    test: ['Test mode', 'Testmodus'],
    live: ['Live mode', 'Live-Modus'],
  },
  loginModeHints: {
    test: [
      'No real money moves unless a program asks for live mode.',
      'Es fließt kein echtes Geld, solange ein Programm nicht den Live-Modus verlangt.',
    ],
    live: [
      'Real money moves. This needs a live API key that does not end by itself.',
      'Es fließt echtes Geld. Dafür braucht es einen Live-Schlüssel, der nicht von selbst endet.',
    ],
  },
  origins: ['Where customers may return to', 'Wohin Kunden zurückkehren dürfen'],
  originsHint: [
    'A payment link leads customers back to an address of your shop. With origins listed here, no other address is accepted, so nobody with a stolen key can lead your customers elsewhere.',
    'Ein Zahlungslink führt Kunden zu einer Adresse Ihres Shops zurück. Mit einer Liste hier gilt keine andere Adresse mehr, und niemand kann mit einem gestohlenen Schlüssel Ihre Kunden woandershin führen.',
  ],
  anyOrigin: ['No origin is listed: every address is accepted.', 'Die Liste ist leer: Jede Adresse gilt.'],
  origin: [(place: number) => `Origin ${place}`, (place: number) => `Adresse ${place}`],
  addOrigin: ['Add an origin', 'Adresse hinzufügen'],
  removeOrigin: [(origin: string) => `Remove ${origin}`, (origin: string) => `${origin} entfernen`],
  removed: ['Removed. It counts once you save.', 'Entfernt. Es gilt, sobald Sie speichern.'],
  fullOrigins: [
    'There are 20 origins, and no more are possible.',
    'Es sind 20 Einträge, und mehr sind nicht möglich.',
  ],
  mail: ['Mail', 'E-Mail'],
  mailHint: [
    'Paylink writes to customers and to you. In test mode the mails say so.',
    'Paylink schreibt an Kunden und an Sie. Im Testmodus steht das in den E-Mails.',
  ],
  receipts: ['Receipts for customers', 'Belege für Kunden'],
  receiptsHint: [
    'A mail with a PDF after a payment, and after a refund.',
    'Eine E-Mail mit PDF nach einer Zahlung und nach einer Erstattung.',
  ],
  notices: ['Tell me about each payment', 'Mich über jede Zahlung benachrichtigen'],
  noticesHint: [
    'A mail to you when a payment is paid.',
    'Eine E-Mail an Sie, wenn eine Zahlung bezahlt ist.',
  ],
  noticeAddress: ['Where mail to you goes', 'Wohin E-Mails an Sie gehen'],
  noticeAddressHint: [
    'Also word of a webhook endpoint that was switched off. Without an address it goes to the owner who has been there longest.',
    'Auch die Nachricht, dass ein Webhook-Endpunkt abgeschaltet wurde. Ohne Adresse gehen sie an den Inhaber, der am längsten dabei ist.',
  ],
  replyTo: ['Where answers of customers go', 'Wohin Antworten von Kunden gehen'],
  replyToHint: [
    'Your address for questions, such as help@shop.example.',
    'Ihre Adresse für Fragen, zum Beispiel hilfe@shop.example.',
  ],
  reminderHours: ['Remind customers of an unpaid link', 'Kunden an einen unbezahlten Link erinnern'],
  reminderHint: [
    'So many hours before it expires, once; 1 to 168. Leave it empty for no reminder.',
    'So viele Stunden, bevor er abläuft, einmal; 1 bis 168. Leer lassen, wenn niemand erinnert werden soll.',
  ],
  noReplyTo: ['Nowhere in particular', 'An keine bestimmte Adresse'],
  toOwner: ['To the owner who has been there longest', 'An den Inhaber, der am längsten dabei ist'],
  noReminder: ['Never', 'Nie'],
  reminderBefore: [
    (hours: number) => (hours === 1 ? '1 hour before' : `${hours} hours before`),
    (hours: number) => (hours === 1 ? '1 Stunde vorher' : `${hours} Stunden vorher`),
  ],
  standardColor: ['Our blue', 'Unser Blau'],
});
