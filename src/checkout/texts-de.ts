// The German texts of the hosted pages, without markup. The pages fill in the `{names}`, escaped.

import type { en } from './texts-en.ts';

export const de: typeof en = {
  testMode: 'Testmodus: Es fließt kein echtes Geld',
  footer: 'Wir speichern weder Ihre Kartennummer noch Ihre Prüfnummer.',
  errorTitle: 'Fehler: {title}',
  order: 'Bestellung',
  description: 'Für',
  amount: 'Betrag',
  merchant: 'An',
  card: 'Karte',
  cardEnding: '{brand}, endet auf {last4}',
  cardEndingOnly: 'endet auf {last4}',
  paidWith: 'Bezahlt mit',
  pay: {
    title: '{amount} an {merchant} bezahlen',
    heading: 'Zahlung an {merchant}',
    payableUntil: 'Zahlbar bis',
    cardDetails: 'Kartendaten',
    button: '{amount} bezahlen',
    busy: 'Ihre Zahlung wird verarbeitet… Bitte schließen Sie diese Seite nicht.',
    leave: 'Abbrechen und zurück zu {merchant}',
    leaveHint: 'Es wird nichts abgebucht. Sie können mit diesem Link auch später noch bezahlen.',
    attemptsLeft: 'Sie haben noch {count} Versuche.',
    lastAttempt: 'Sie haben noch einen Versuch.',
    testCards: 'Testkarten',
    testCardsHint:
      'Verwenden Sie ein beliebiges Ablaufdatum in der Zukunft und eine beliebige dreistellige Prüfnummer.',
  },
  methods: {
    heading: 'Wie möchten Sie bezahlen?',
    card: 'Mit Karte bezahlen',
    transfer: 'Überweisung',
    payWith: 'Mit {title} bezahlen',
    payByTransfer: 'Per Überweisung bezahlen',
    payAmountByTransfer: '{amount} per Überweisung bezahlen',
    aboutPage: 'Sie bezahlen bei {title} und kehren danach auf diese Seite zurück.',
    aboutTransfer: 'Sie überweisen von Ihrem Bankkonto. Das dauert 1–2 Bankarbeitstage.',
    mayBeUnavailable: 'Diese Zahlungsart ist im Moment möglicherweise nicht verfügbar.',
    busy: 'Einen Moment, bitte…',
    notCompleted: 'Sie sind zurückgekehrt, ohne zu bezahlen. Es wurde nichts abgebucht.',
    transferNotExpected:
      'Wir erwarten Ihre Überweisung nicht mehr, und bisher ist kein Geld eingegangen. Bitte überweisen Sie jetzt nicht mehr. Wenn Sie schon überwiesen haben, benachrichtigen wir {merchant}, sobald das Geld eingeht.',
  },
  testCards: {
    success: 'Zahlung ist erfolgreich',
    declined: 'Zahlung wird abgelehnt',
    challenge: 'erfordert eine Bestätigung bei der Bank',
  },
  fields: {
    name: {
      label: 'Name auf der Karte',
      hint: '',
      placeholder: '',
      problems: {
        missing: 'Geben Sie den Namen auf der Karte ein.',
        invalid: 'Geben Sie den Namen so ein, wie er auf der Karte steht.',
        too_long: 'Dieser Name ist zu lang. Geben Sie ihn so ein, wie er auf der Karte steht.',
      },
    },
    number: {
      label: 'Kartennummer',
      hint: 'Mit oder ohne Leerzeichen',
      placeholder: '',
      problems: {
        missing: 'Geben Sie die Kartennummer ein.',
        invalid: 'Prüfen Sie Ihre Kartennummer.',
        too_long: 'Diese Kartennummer ist zu lang. Prüfen Sie Ihre Kartennummer.',
        unsupported_test_card: 'Verwenden Sie eine der Testkarten unten. Geben Sie keine echte Karte ein.',
      },
    },
    expiry: {
      label: 'Gültig bis',
      hint: 'Monat und Jahr',
      placeholder: 'MM/JJ',
      problems: {
        missing: 'Geben Sie das Ablaufdatum ein.',
        invalid: 'Geben Sie Monat und Jahr ein, zum Beispiel 08/31.',
        expired: 'Diese Karte ist abgelaufen. Prüfen Sie das Datum oder verwenden Sie eine andere Karte.',
        too_long: 'Geben Sie Monat und Jahr ein, zum Beispiel 08/31.',
      },
    },
    csc: {
      label: 'Prüfnummer',
      hint: '3 Ziffern auf der Rückseite, bei American Express 4 auf der Vorderseite',
      placeholder: '',
      problems: {
        missing: 'Geben Sie die Prüfnummer ein.',
        invalid: 'Prüfen Sie die Prüfnummer. Sie hat 3 Stellen, bei American Express 4.',
        too_long: 'Prüfen Sie die Prüfnummer. Sie hat 3 Stellen, bei American Express 4.',
      },
    },
  },
  problems: {
    incorrect_csc: {
      what: 'Die Prüfnummer Ihrer Karte ist falsch.',
      next: 'Es wurde nichts abgebucht. Geben Sie Ihre Karte noch einmal ein und prüfen Sie die Prüfnummer.',
    },
    expired_card: {
      what: 'Ihre Karte ist abgelaufen.',
      next: 'Es wurde nichts abgebucht. Bitte verwenden Sie eine andere Karte.',
    },
    authentication_failed: {
      what: 'Diese Zahlung konnte bei Ihrer Bank nicht bestätigt werden.',
      next: 'Es wurde nichts abgebucht. Versuchen Sie es noch einmal oder verwenden Sie eine andere Karte.',
    },
    authentication_abandoned: {
      what: 'Sie haben die Bestätigung bei Ihrer Bank nicht abgeschlossen.',
      next: 'Es wurde nichts abgebucht. Geben Sie Ihre Karte noch einmal ein, um neu zu beginnen.',
    },
    processing_error: {
      what: 'Ihre Karte konnte nicht verarbeitet werden.',
      next: 'Es wurde nichts abgebucht. Bitte versuchen Sie es gleich noch einmal.',
    },
    declined_retry: {
      what: 'Ihre Bank hat Ihre Karte abgelehnt.',
      next: 'Es wurde nichts abgebucht. Verwenden Sie eine andere Karte oder wenden Sie sich an Ihre Bank.',
    },
    refunding_to_card: {
      what: 'Ihre Karte wurde irrtümlich belastet.',
      next: 'Wir erstatten den vollen Betrag auf Ihre Karte. Diese Zahlung ist noch offen: Sie können mit dieser oder einer anderen Karte bezahlen.',
    },
    refunding: {
      what: 'Es wurde irrtümlich Geld abgebucht.',
      next: 'Wir erstatten Ihnen den vollen Betrag. Diese Zahlung ist noch offen, und Sie können sie bezahlen.',
    },
    refund_by_merchant: {
      what: 'Es wurde Geld in der falschen Währung abgebucht.',
      next: 'Wir haben den Händler benachrichtigt. Er muss Ihnen das Geld erstatten. Wenden Sie sich an ihn, bevor Sie noch einmal bezahlen.',
    },
    unreachable: {
      what: '{title} ist im Moment nicht verfügbar.',
      next: 'Es wurde nichts abgebucht. Bezahlen Sie anders oder versuchen Sie es noch einmal.',
    },
    unreachable_alone: {
      what: '{title} ist im Moment nicht verfügbar.',
      next: 'Es wurde nichts abgebucht. Bitte versuchen Sie es gleich noch einmal.',
    },
    declined_at_processor: {
      what: '{title} hat Ihre Zahlung abgelehnt.',
      next: 'Es wurde nichts abgebucht. Sie können es noch einmal versuchen.',
    },
    source_declined: {
      what: '{title} hat die gewählte Karte oder das gewählte Konto abgelehnt.',
      next: 'Es wurde nichts abgebucht. Wählen Sie bei {title} eine andere Karte oder ein anderes Konto, oder bezahlen Sie anders.',
    },
    method_unavailable: {
      what: 'Diese Zahlungsart ist nicht mehr verfügbar.',
      next: 'Es wurde nichts abgebucht. Bitte wählen Sie eine andere Zahlungsart.',
    },
    form_expired: {
      what: 'Diese Seite ist abgelaufen.',
      next: 'Es wurde nichts abgebucht. Bitte geben Sie Ihre Karte noch einmal ein.',
    },
    page_expired: {
      what: 'Diese Seite ist abgelaufen.',
      next: 'Es wurde nichts abgebucht. Bitte wählen Sie noch einmal.',
    },
    fields: {
      what: 'Prüfen Sie Ihre Kartendaten.',
      next: 'Es wurde nichts abgebucht. Geben Sie Ihre Karte noch einmal ein und korrigieren Sie Folgendes:',
    },
  },
  overpayment: {
    paid: 'Ihre Zahlung an {merchant} war erfolgreich. Es wurde zu viel abgebucht. Wir erstatten die Differenz auf Ihre Karte.',
    unpaid: 'Ihre Karte wurde irrtümlich belastet. Wir erstatten den vollen Betrag auf Ihre Karte.',
    paidAtProcessor:
      'Ihre Zahlung an {merchant} war erfolgreich. Es wurde zu viel abgebucht. Wir erstatten Ihnen die Differenz.',
    unpaidAtProcessor: 'Es wurde irrtümlich Geld abgebucht. Wir erstatten Ihnen den vollen Betrag.',
    held: 'Es wurde Geld in der falschen Währung abgebucht. {merchant} muss es Ihnen erstatten. Fragen Sie dort nach, bevor Sie noch einmal bezahlen.',
  },
  states: {
    checkNow: 'Jetzt prüfen',
    resume: 'Weiter zu Ihrer Bank',
    abandon: 'Andere Karte verwenden',
    back: 'Zurück zu {merchant}',
    receipt: 'Beleg',
    requestId: 'Referenz',
    processing: {
      heading: 'Ihre Zahlung wird verarbeitet',
      money: 'Ihre Bank hat sie noch nicht bestätigt.',
      next: 'Bitte bezahlen Sie nicht noch einmal. Diese Seite wird alle paar Sekunden aktualisiert. Sie können sie auch schließen: {merchant} erhält das Ergebnis.',
      at: 'Begonnen',
    },
    requires_action: {
      heading: 'Bestätigen Sie diese Zahlung bei Ihrer Bank',
      money: 'Es wurde noch nichts abgebucht.',
      next: 'Gehen Sie weiter zu Ihrer Bank und bestätigen Sie diese Zahlung an {merchant}, oder verwenden Sie eine andere Karte.',
      at: 'Begonnen',
    },
    unknown: {
      heading: 'Wir prüfen Ihre Zahlung bei Ihrer Bank',
      money: 'Bezahlen Sie nicht noch einmal. Ihre Bank hat das Ergebnis noch nicht bestätigt.',
      next: 'Diese Seite wird alle paar Sekunden aktualisiert. Sie können sie auch schließen: {merchant} erhält das Ergebnis.',
      at: 'Begonnen',
    },
    paid: {
      heading: 'Zahlung erhalten',
      money: 'Ihre Zahlung an {merchant} war erfolgreich. Ihre Karte wurde einmal belastet.',
      next: 'Sie können diese Seite schließen.',
      at: 'Bezahlt am',
    },
    failed: {
      heading: 'Zahlung fehlgeschlagen',
      money: 'Es wurde nichts abgebucht.',
      next: 'Dieser Link kann nicht noch einmal verwendet werden. Um anders zu bezahlen, bitten Sie {merchant} um einen neuen Link.',
      at: 'Fehlgeschlagen am',
    },
    expired: {
      heading: 'Dieser Zahlungslink ist abgelaufen',
      money: 'Über diesen Link wurde nichts abgebucht.',
      next: 'Wenn Sie noch bezahlen möchten, bitten Sie {merchant} um einen neuen Link.',
      at: 'Abgelaufen am',
    },
    leaving: {
      heading: 'Sie werden zu {title} weitergeleitet…',
      money: 'Sie bezahlen dort und kehren danach auf diese Seite zurück.',
      next: 'Wenn nichts geschieht, klicken Sie auf die Schaltfläche.',
      at: 'Begonnen',
    },
    no_method: {
      heading: 'Keine Zahlungsart verfügbar',
      money: 'Es wurde nichts abgebucht.',
      next: '{merchant} bietet hier im Moment keine Zahlungsart an. Bitte wenden Sie sich an {merchant}.',
      at: 'Zeit',
    },
    cancelled: {
      heading: 'Dieser Zahlungslink wurde storniert',
      money: 'Über diesen Link wurde nichts abgebucht.',
      next: 'Wenn Sie das nicht erwartet haben, wenden Sie sich an {merchant}.',
      at: 'Storniert am',
    },
    not_found: {
      heading: 'Zahlungslink nicht gefunden',
      money: 'Unter dieser Adresse gibt es nichts zu bezahlen.',
      next: 'Prüfen Sie, ob Sie den ganzen Link kopiert haben, oder bitten Sie den Shop um einen neuen.',
      at: 'Zeit',
    },
    error: {
      heading: 'Bei uns ist etwas schiefgegangen',
      money: 'Wir wissen nicht, ob eine Zahlung erfolgt ist.',
      next: 'Öffnen Sie Ihren Zahlungslink noch einmal, bevor Sie erneut bezahlen: Er zeigt, was geschehen ist. Wenn diese Seite wieder erscheint, nennen Sie dem Shop die Referenz unten.',
      at: 'Zeit',
    },
    unavailable: {
      heading: 'Diese Seite ist vorübergehend nicht verfügbar',
      money: 'Bei diesem Schritt wurde nichts abgebucht.',
      next: 'Warten Sie eine Minute und öffnen Sie dann Ihren Zahlungslink noch einmal. Wenn Sie schon bezahlt haben, bezahlen Sie nicht noch einmal: Der Link zeigt Ihre Zahlung.',
      at: 'Zeit',
    },
    no_pdf: {
      heading: 'Das PDF ist vorübergehend nicht verfügbar',
      money: 'Ihre Zahlung ist davon nicht betroffen.',
      next: 'Versuchen Sie es in einer Minute noch einmal, oder drucken Sie die Seite des Belegs.',
      at: 'Zeit',
    },
    checking: {
      heading: 'Wir prüfen Ihre Zahlung',
      money: 'Bezahlen Sie nicht noch einmal. Wir können das Ergebnis im Moment nicht sehen.',
      next: 'Diese Seite wird alle paar Sekunden aktualisiert. Sie können sie auch schließen und Ihren Zahlungslink später öffnen: Er zeigt, was geschehen ist.',
      at: 'Zeit',
    },
    too_many: {
      heading: 'Zu viele Versuche',
      money: 'Dieser Versuch wurde nicht an Ihre Bank gesendet, und es wurde dafür nichts abgebucht.',
      next: 'Warten Sie eine Minute und öffnen Sie dann Ihren Zahlungslink noch einmal.',
      at: 'Zeit',
    },
  },
  atProcessor: {
    resume: 'Weiter zu {title}',
    abandon: 'Anders bezahlen',
    kept: '{title} hält diese Zahlung bis {until} offen. Bezahlen Sie dort, oder kommen Sie danach wieder.',
    processing: {
      money: '{title} hat sie noch nicht bestätigt.',
    },
    requires_action: {
      heading: 'Schließen Sie Ihre Zahlung bei {title} ab',
      next: 'Gehen Sie weiter zu {title}, um {merchant} zu bezahlen, oder bezahlen Sie anders.',
    },
    unknown: {
      heading: 'Wir prüfen Ihre Zahlung bei {title}',
      money: 'Bezahlen Sie nicht noch einmal. {title} hat das Ergebnis noch nicht bestätigt.',
    },
    paid: {
      money: 'Ihre Zahlung an {merchant} war erfolgreich. Der Betrag wurde einmal abgebucht.',
    },
  },
  transfer: {
    heading: 'Bitte überweisen Sie {amount}',
    waiting: 'Wir haben Ihre Überweisung noch nicht erhalten.',
    partiallyReceived: 'Wir haben {received} erhalten. Bitte überweisen Sie noch {due}.',
    received: 'Wir haben den vollen Betrag erhalten und bestätigen gerade Ihre Zahlung.',
    next: 'Überweisen Sie mit genau diesen Angaben. Die Überweisung dauert meist 1–2 Bankarbeitstage.',
    emailed: 'Sie können diese Seite schließen. Wir senden Ihnen eine E-Mail, wenn Ihr Geld eingegangen ist.',
    notEmailed:
      'Sie können diese Seite schließen. Öffnen Sie Ihren Zahlungslink später noch einmal, um zu sehen, ob Ihr Geld eingegangen ist.',
    holder: 'Empfänger',
    iban: 'IBAN',
    bic: 'BIC',
    amount: 'Betrag',
    reference: 'Verwendungszweck',
    until: 'Muss eingehen bis',
    copy: 'Kopieren',
    copyLabel: '{label} kopieren',
    copied: 'Kopiert.',
    codeLabel: 'QR-Code dieser Überweisung für Banking-Apps',
    codeHint: 'Scannen Sie diesen Code mit Ihrer Banking-App, um die Überweisung auszufüllen.',
    abandonHint: 'Nur, wenn Sie noch nicht überwiesen haben.',
  },
  shop: {
    name: 'Demo-Shop',
    about: 'Dies ist eine Beispielseite. Ein echter Händler zeigt hier eine eigene Seite.',
    success: {
      heading: 'Danke für Ihre Bestellung',
      lead: 'Ihre Bestellung ist bezahlt.',
    },
    failure: {
      heading: 'Ihre Bestellung ist nicht bezahlt',
      lead: 'Diese Bestellung wurde nicht bezahlt.',
    },
    unverified: {
      heading: 'Wir konnten Ihre Zahlung nicht bestätigen',
      lead: 'Das Ergebnis in der URL ist nicht verifiziert. Der Shop versendet Ihre Bestellung deshalb noch nicht.',
    },
    checkHeading: 'Das signierte Ergebnis',
    verified: 'Verifiziert: Die Signatur passt zum veröffentlichten Schlüssel.',
    notVerified: 'Nicht verifiziert.',
    contradiction:
      'Die Signatur ist gültig, aber das Ergebnis passt nicht zur URL, zu der Sie zurückgekehrt sind.',
    claimsHeading: 'Angaben des Ergebnisses',
    claim: 'Angabe',
    value: 'Wert',
    noClaims: 'Es gibt kein Ergebnis, das angezeigt werden kann.',
  },
};
