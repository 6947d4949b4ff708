// Every German sentence of the hosted pages, in the shape of the English ones. Must not contain markup. `{names}` are
// placeholders for values that the page fills in, escaped.

import type { en } from './texts-en.ts';

export const de: typeof en = {
  testMode: 'Testmodus: Es fließt kein echtes Geld',
  footer: 'Kartennummer und Prüfnummer speichern wir nie.',
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
    busy: 'Zahlung läuft… Bitte warten Sie und schließen Sie diese Seite nicht.',
    leave: 'Abbrechen und zurück zu {merchant}',
    leaveHint: 'Es wird nichts abgebucht, und Sie können mit diesem Link auch später noch bezahlen.',
    triesLeft: 'Sie haben noch {count} Versuche.',
    lastTry: 'Sie haben noch einen Versuch.',
    testCards: 'Testkarten',
    testCardsHint: 'Beliebiges Ablaufdatum in der Zukunft und beliebige 3 Ziffern als Prüfnummer.',
  },
  methods: {
    heading: 'Wie möchten Sie bezahlen?',
    card: 'Mit Karte bezahlen',
    transfer: 'Überweisung',
    payWith: 'Mit {title} bezahlen',
    payByTransfer: 'Per Überweisung bezahlen',
    payAmountByTransfer: '{amount} per Überweisung bezahlen',
    aboutPage: 'Sie gehen weiter zu {title}, bezahlen dort und kommen hierher zurück.',
    aboutTransfer: 'Sie überweisen bei Ihrer eigenen Bank. Das dauert 1–2 Bankarbeitstage.',
    isDoubtful: 'Das klappt im Moment vielleicht nicht.',
    busy: 'Einen Moment, bitte…',
    cameBack: 'Sie sind zurückgekommen, ohne zu bezahlen. Es wurde nichts abgebucht.',
    transferEnded:
      'Die Überweisung ist hier beendet, und es ist nichts angekommen. Bitte überweisen Sie nicht mehr. Wenn Sie es schon getan haben, erfährt {merchant} davon.',
  },
  testCards: {
    success: 'wird bezahlt',
    declined: 'wird abgelehnt',
    challenge: 'verlangt eine Bestätigung bei der Bank',
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
        invalid: 'Diese Kartennummer stimmt nicht. Prüfen Sie jede Ziffer.',
        too_long: 'Diese Kartennummer hat zu viele Ziffern.',
        unsupported_test_card:
          'Hier gelten nur die Testkarten, die unter dem Formular stehen. Geben Sie keine echte Karte ein.',
      },
    },
    expiry: {
      label: 'Gültig bis',
      hint: 'Monat und Jahr',
      placeholder: 'MM/JJ',
      problems: {
        missing: 'Geben Sie das Ablaufdatum ein.',
        invalid: 'Geben Sie Monat und Jahr ein, zum Beispiel 08/31.',
        expired: 'Diese Karte ist abgelaufen. Prüfen Sie das Datum oder nehmen Sie eine andere Karte.',
        too_long: 'Geben Sie Monat und Jahr ein, zum Beispiel 08/31.',
      },
    },
    csc: {
      label: 'Prüfnummer',
      hint: '3 Ziffern auf der Rückseite; American Express: 4 auf der Vorderseite',
      placeholder: '',
      problems: {
        missing: 'Geben Sie die Prüfnummer ein.',
        invalid: 'Die Prüfnummer hat 3 Stellen, bei American Express 4.',
        too_long: 'Die Prüfnummer hat 3 Stellen, bei American Express 4.',
      },
    },
  },
  problems: {
    incorrect_csc: {
      what: 'Die Prüfnummer stimmte nicht.',
      next: 'Es wurde nichts abgebucht. Geben Sie die Karte noch einmal ein und prüfen Sie die Prüfnummer.',
    },
    expired_card: {
      what: 'Ihre Bank meldet, dass diese Karte abgelaufen ist.',
      next: 'Es wurde nichts abgebucht. Bitte nehmen Sie eine andere Karte.',
    },
    authentication_failed: {
      what: 'Ihre Bank konnte nicht bestätigen, dass Sie es sind.',
      next: 'Es wurde nichts abgebucht. Versuchen Sie es noch einmal oder nehmen Sie eine andere Karte.',
    },
    authentication_abandoned: {
      what: 'Die Bestätigung bei Ihrer Bank wurde nicht abgeschlossen.',
      next: 'Es wurde nichts abgebucht. Geben Sie die Karte noch einmal ein, um neu zu beginnen.',
    },
    processing_error: {
      what: 'Ihre Karte konnte gerade nicht verarbeitet werden.',
      next: 'Es wurde nichts abgebucht. Bitte versuchen Sie es gleich noch einmal.',
    },
    declined_retry: {
      what: 'Ihre Bank hat diese Karte abgelehnt.',
      next: 'Es wurde nichts abgebucht. Nehmen Sie eine andere Karte oder fragen Sie Ihre Bank nach dem Grund.',
    },
    money_sent_back: {
      what: 'Von Ihrer Karte wurde Geld abgebucht, das nicht fällig war.',
      next: 'Es geht vollständig an Ihre Karte zurück. Diese Zahlung ist noch offen: Sie können mit dieser oder einer anderen Karte bezahlen.',
    },
    money_returned: {
      what: 'Es wurde Geld abgebucht, das nicht fällig war.',
      next: 'Es geht vollständig an Sie zurück. Diese Zahlung ist noch offen, und Sie können sie bezahlen.',
    },
    money_held: {
      what: 'Es wurde Geld in einer anderen Währung abgebucht, als fällig war.',
      next: 'Wir haben den Händler benachrichtigt; er muss es zurücksenden. Fragen Sie dort nach, bevor Sie noch einmal bezahlen.',
    },
    unreachable: {
      what: '{title} ist gerade nicht erreichbar.',
      next: 'Es wurde nichts abgebucht. Sie können anders bezahlen oder es noch einmal versuchen.',
    },
    unreachable_alone: {
      what: '{title} ist gerade nicht erreichbar.',
      next: 'Es wurde nichts abgebucht. Bitte versuchen Sie es gleich noch einmal.',
    },
    declined_there: {
      what: 'Ihre Zahlung mit {title} wurde abgelehnt.',
      next: 'Es wurde nichts abgebucht. Sie können es noch einmal versuchen.',
    },
    source_declined: {
      what: '{title} hat die gewählte Karte oder das gewählte Konto abgelehnt.',
      next: 'Es wurde nichts abgebucht. Wählen Sie bei {title} eine andere Karte oder ein anderes Konto, oder bezahlen Sie anders.',
    },
    method_gone: {
      what: 'Diese Zahlungsart wird nicht mehr angeboten.',
      next: 'Es wurde nichts gesendet und nichts abgebucht. Bitte wählen Sie eine andere.',
    },
    form_expired: {
      what: 'Diese Seite war zu lange geöffnet.',
      next: 'Es wurde nichts gesendet und nichts abgebucht. Bitte geben Sie die Karte noch einmal ein.',
    },
    page_expired: {
      what: 'Diese Seite war zu lange geöffnet.',
      next: 'Es wurde nichts gesendet und nichts abgebucht. Bitte wählen Sie noch einmal.',
    },
    fields: {
      what: 'Etwas fehlt oder stimmt nicht.',
      next: 'Es wurde nichts abgebucht. Bitte geben Sie die Karte noch einmal ein und prüfen Sie:',
    },
  },
  sentBack: {
    paid: 'Ihre Zahlung an {merchant} ist erfolgt. Was darüber hinaus abgebucht wurde, geht an Ihre Karte zurück.',
    unpaid:
      'Von Ihrer Karte wurde Geld abgebucht, das nicht fällig war. Es geht vollständig an Ihre Karte zurück.',
    paidThere:
      'Ihre Zahlung an {merchant} ist erfolgt. Was darüber hinaus abgebucht wurde, geht an Sie zurück.',
    unpaidThere: 'Es wurde Geld abgebucht, das nicht fällig war. Es geht vollständig an Sie zurück.',
    held: 'Es wurde Geld in einer anderen Währung abgebucht, als fällig war. {merchant} muss es zurücksenden: Fragen Sie dort nach, bevor Sie noch einmal bezahlen.',
  },
  states: {
    checkNow: 'Jetzt nachsehen',
    resume: 'Weiter zu Ihrer Bank',
    abandon: 'Stattdessen eine andere Karte nehmen',
    back: 'Zurück zu {merchant}',
    requestId: 'Referenz',
    processing: {
      heading: 'Ihre Zahlung wird bearbeitet',
      money: 'Ihre Bank hat noch nicht entschieden.',
      next: 'Bitte bezahlen Sie nicht noch einmal. Diese Seite sieht alle paar Sekunden selbst nach. Sie können sie auch schließen: {merchant} erfährt das Ergebnis.',
      at: 'Begonnen',
    },
    requires_action: {
      heading: 'Ihre Bank bittet um Bestätigung',
      money: 'Es wurde noch nichts abgebucht.',
      next: 'Gehen Sie weiter zu Ihrer Bank und bestätigen Sie diese Zahlung an {merchant}, oder nehmen Sie eine andere Karte.',
      at: 'Begonnen',
    },
    unknown: {
      heading: 'Wir prüfen Ihre Zahlung',
      money: 'Bezahlen Sie nicht noch einmal. Wir haben noch keine klare Antwort von Ihrer Bank.',
      next: 'Diese Seite prüft alle paar Sekunden nach. Sie können sie auch schließen: {merchant} erhält das Ergebnis.',
      at: 'Begonnen',
    },
    paid: {
      heading: 'Bezahlt. Vielen Dank!',
      money: 'Ihre Zahlung an {merchant} ist erfolgt. Ihre Karte wurde einmal belastet.',
      next: 'Hier ist nichts weiter zu tun. Sie können diese Seite schließen.',
      at: 'Bezahlt am',
    },
    failed: {
      heading: 'Die Zahlung hat nicht geklappt',
      money: 'Sie wurde nicht angenommen, und es wurde nichts abgebucht.',
      next: 'Dieser Link kann nicht noch einmal benutzt werden. Um anders zu bezahlen, bitten Sie {merchant} um einen neuen Link.',
      at: 'Beendet am',
    },
    expired: {
      heading: 'Dieser Zahlungslink ist abgelaufen',
      money: 'Über diesen Link wurde nichts abgebucht.',
      next: 'Wenn Sie noch bezahlen möchten, bitten Sie {merchant} um einen neuen Link.',
      at: 'Abgelaufen am',
    },
    leaving: {
      heading: 'Weiter zu {title}…',
      money: 'Sie bezahlen dort und kommen danach auf diese Seite zurück.',
      next: 'Wenn nichts geschieht, nehmen Sie die Schaltfläche.',
      at: 'Begonnen',
    },
    no_method: {
      heading: 'Diese Zahlung ist noch nicht möglich',
      money: 'Es wurde nichts abgebucht.',
      next: '{merchant} bietet hier im Moment keine Zahlungsart an. Bitte fragen Sie bei {merchant} nach.',
      at: 'Zeit',
    },
    cancelled: {
      heading: 'Dieser Zahlungslink wurde storniert',
      money: 'Über diesen Link wurde nichts abgebucht.',
      next: 'Wenn Sie das nicht erwartet haben, fragen Sie bei {merchant} nach.',
      at: 'Storniert am',
    },
    not_found: {
      heading: 'Diesen Zahlungslink gibt es nicht',
      money: 'Unter dieser Adresse kann nichts bezahlt werden.',
      next: 'Prüfen Sie, ob der Link vollständig kopiert wurde, oder bitten Sie den Shop, der ihn geschickt hat, um einen neuen.',
      at: 'Zeit',
    },
    error: {
      heading: 'Bei uns ist etwas schiefgegangen',
      money: 'Diese Seite kann nicht sagen, ob eine Zahlung erfolgt ist.',
      next: 'Öffnen Sie Ihren Zahlungslink noch einmal, bevor Sie erneut bezahlen: Er zeigt, was geschehen ist. Wenn diese Seite wiederkommt, nennen Sie dem Shop die Referenz unten.',
      at: 'Zeit',
    },
    unavailable: {
      heading: 'Diese Seite lässt sich gerade nicht öffnen',
      money: 'Bei diesem Schritt wurde nichts abgebucht.',
      next: 'Warten Sie eine Minute und öffnen Sie dann Ihren Zahlungslink noch einmal. Wenn Sie schon bezahlt haben, bezahlen Sie nicht noch einmal: Der Link wird es zeigen.',
      at: 'Zeit',
    },
    checking: {
      heading: 'Wir prüfen Ihre Zahlung',
      money: 'Bezahlen Sie nicht noch einmal. Das Ergebnis ist für uns gerade nicht zu sehen.',
      next: 'Diese Seite sieht alle paar Sekunden nach. Sie können sie auch schließen und Ihren Zahlungslink später öffnen: Er zeigt, was geschehen ist.',
      at: 'Zeit',
    },
    too_many: {
      heading: 'Zu viele Versuche in kurzer Zeit',
      money: 'Dieser Versuch wurde nicht an Ihre Bank gesendet und nicht abgebucht.',
      next: 'Warten Sie eine Minute und öffnen Sie dann Ihren Zahlungslink noch einmal.',
      at: 'Zeit',
    },
  },
  there: {
    resume: 'Bei {title} weitermachen',
    abandon: 'Anders bezahlen',
    kept: '{title} hält diese Zahlung bis {until} offen. Sie können dort weitermachen oder dann wiederkommen.',
    processing: {
      money: '{title} hat noch nicht entschieden.',
    },
    requires_action: {
      heading: 'Ihre Zahlung bei {title} ist nicht abgeschlossen',
      next: 'Machen Sie bei {title} weiter, um {merchant} zu bezahlen, oder bezahlen Sie anders.',
    },
    unknown: {
      money: 'Bezahlen Sie nicht noch einmal. Wir haben noch keine klare Antwort von {title}.',
    },
    paid: {
      money: 'Ihre Zahlung an {merchant} ist erfolgt. Sie haben einmal bezahlt.',
    },
  },
  transfer: {
    heading: 'Bitte überweisen Sie {amount}',
    waiting: 'Es ist noch nichts angekommen.',
    partly: '{received} sind angekommen. {due} fehlen noch.',
    arrived: 'Alles ist angekommen. Wir tragen die Zahlung gerade ein.',
    next: 'Geben Sie die Überweisung bei Ihrer Bank genau so auf, wie es hier steht. Sie dauert meist 1–2 Bankarbeitstage.',
    told: 'Sie können diese Seite schließen. Wir schreiben Ihnen eine E-Mail, wenn das Geld angekommen ist.',
    untold:
      'Sie können diese Seite schließen. Ob das Geld angekommen ist, sehen Sie, wenn Sie Ihren Zahlungslink wieder öffnen.',
    holder: 'Empfänger',
    iban: 'IBAN',
    bic: 'BIC',
    amount: 'Zu überweisen',
    reference: 'Verwendungszweck',
    until: 'Muss da sein bis',
    copy: 'Kopieren',
    copyWhat: 'Kopieren: {label}',
    copied: 'Kopiert.',
    codeLabel: 'QR-Code dieser Überweisung für Banking-Apps',
    codeHint: 'Scannen Sie diesen Code mit Ihrer Banking-App. Sie füllt die Überweisung aus.',
    abandonHint: 'Nur, wenn Sie die Überweisung noch nicht aufgegeben haben.',
  },
  shop: {
    name: 'Demo-Shop',
    about: 'Diese Seite spielt die Website eines Händlers. Ein echter Händler zeigt hier eine eigene Seite.',
    success: {
      heading: 'Danke für Ihre Bestellung',
      lead: 'Sie sind zurück im Shop, und Ihre Bestellung ist bezahlt.',
    },
    failure: {
      heading: 'Ihre Bestellung ist nicht bezahlt',
      lead: 'Sie sind zurück im Shop, und diese Bestellung wurde nicht bezahlt.',
    },
    doubtful: {
      heading: 'Sie sind zurück im Shop',
      lead: 'Der Shop kann sich auf die Adresse dieser Seite nicht verlassen und verschickt deshalb noch nichts.',
    },
    checkHeading: 'Das signierte Ergebnis',
    verified: 'Geprüft: Die Signatur passt zum veröffentlichten Schlüssel.',
    refused: 'Nicht bestätigt.',
    contradiction:
      'Die Signatur stimmt, aber das Ergebnis sagt etwas anderes als die Adresse, zu der Sie kamen.',
    claimsHeading: 'Was das Ergebnis sagt',
    claim: 'Angabe',
    value: 'Wert',
    noClaims: 'Es gibt kein Ergebnis zu zeigen.',
  },
};
