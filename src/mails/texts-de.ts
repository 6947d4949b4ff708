// Every German sentence of the emails, in the shape of the English ones.

import type { en } from './texts-en.ts';

export const de: typeof en = {
  test: 'TESTMODUS',
  testMode: 'Testmodus: Es wird kein echtes Geld bewegt.',
  labels: {
    refundingMerchant: 'Von',
    paid: 'Bezahlt',
    email: 'E-Mail-Adresse',
    refundedAt: 'Erstattet am',
    until: 'Gültig bis',
    address: 'Webhook-URL',
    endpoint: 'Endpunkt',
    reason: 'Grund',
    failingSince: 'Fehlerhaft seit',
    disabledAt: 'Deaktiviert am',
  },
  link: {
    subject: 'Zahlungsaufforderung: {amount} an {merchant}',
    heading: 'Zahlung an {merchant}',
    lead: '{merchant} bittet Sie um die Zahlung von {amount}.',
    button: '{amount} zahlen',
    foot: '{merchant} hat Ihnen diesen Link gesendet. Wenn Sie ihn nicht erwartet haben, ignorieren Sie diese E-Mail.',
  },
  reminder: {
    subject: 'Erinnerung: {amount} an {merchant}',
    heading: 'Erinnerung: {amount} noch nicht bezahlt',
    lead: 'Ihr Link zur Zahlung von {amount} an {merchant} ist gültig bis {until}.',
    button: '{amount} zahlen',
    foot: 'Dies ist die einzige Erinnerung. Wenn Sie nicht mehr zahlen möchten, ignorieren Sie diese E-Mail.',
  },
  receipt: {
    subject: 'Beleg: {amount} an {merchant}',
    heading: 'Zahlung erhalten',
    lead: '{merchant} hat Ihre Zahlung von {amount} erhalten.',
    foot: 'Fragen zur Bestellung? Bitte wenden Sie sich an {merchant}.',
  },
  refund: {
    subject: 'Erstattung: {amount} von {merchant}',
    heading: 'Ihre Erstattung von {amount}',
    lead: '{merchant} hat {amount} auf die Karte erstattet, mit der Sie bezahlt haben. Es kann einige Tage dauern, bis die Gutschrift auf Ihrem Konto erscheint.',
    leadOther:
      '{merchant} hat {amount} über die Zahlungsart erstattet, mit der Sie bezahlt haben. Es kann einige Tage dauern, bis die Gutschrift auf Ihrem Konto erscheint.',
    foot: 'Fragen zur Bestellung? Bitte wenden Sie sich an {merchant}.',
  },
  surplus: {
    subject: 'Erstattung: {amount} von {merchant}',
    heading: 'Ihre Erstattung von {amount}',
    lead: 'Ihre Karte wurde mit {amount} mehr belastet, als {merchant} verlangt hat. Die vollen {amount} wurden auf Ihre Karte erstattet. Es kann einige Tage dauern, bis die Gutschrift auf Ihrem Konto erscheint.',
    leadOther:
      'Sie haben {amount} mehr bezahlt, als {merchant} verlangt hat. Die vollen {amount} wurden über die Zahlungsart erstattet, mit der Sie bezahlt haben. Es kann einige Tage dauern, bis die Gutschrift auf Ihrem Konto erscheint.',
    foot: 'Sie müssen nichts tun. Fragen? Bitte wenden Sie sich an {merchant}.',
  },
  notice: {
    subject: 'Zahlung erhalten: {amount}, Bestellung {order}',
    heading: 'Zahlung erhalten: {amount}',
    lead: 'Ein Kunde hat {amount} an {merchant} bezahlt.',
    foot: 'E-Mails über Zahlungen können Sie in den Einstellungen Ihrer Firma abschalten.',
  },
  endpoint: {
    subject: 'Webhook-Endpunkt deaktiviert: {host}',
    heading: 'Webhook-Endpunkt deaktiviert: {host}',
    lead: 'Paylink sendet keine Webhooks von {merchant} mehr an diese URL. Zahlungen sind nicht betroffen. Sobald die URL wieder mit einem Status 2xx antwortet, aktivieren Sie den Endpunkt: PATCH /v1/webhook-endpoints/{endpointId} mit dem Status "enabled". Ereignisse werden 30 Tage aufbewahrt und gesendet, sobald der Endpunkt aktiviert ist. Wenn Sie den Endpunkt nicht mehr brauchen, löschen Sie ihn.',
    foot: 'Sie erhalten diese E-Mail, weil sie Ihre Integration betrifft, auch wenn E-Mails über Zahlungen abgeschaltet sind.',
    reasons: {
      gone: 'Die URL hat mit 410 Gone geantwortet: Sie nimmt keine Webhooks mehr an.',
      failing: 'Seit mehreren Tagen sind alle Webhooks an diese URL fehlgeschlagen.',
      other: 'Der Endpunkt wurde deaktiviert.',
    },
  },
  password: {
    subject: 'Ihr Paylink-Passwort zurücksetzen',
    heading: 'Passwort zurücksetzen',
    lead: 'Jemand möchte das Passwort Ihres Kontos bei {merchant} zurücksetzen. Über die Schaltfläche legen Sie ein neues Passwort fest. Der Link funktioniert ein Mal und gilt bis {until}. Mit dem neuen Passwort werden Sie überall abgemeldet. Ihr zweiter Faktor ändert sich nicht.',
    button: 'Neues Passwort festlegen',
    foot: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort ändert sich nicht. Geben Sie diesen Link nie weiter.',
  },
  invitation: {
    subject: '{merchant} lädt Sie zu Paylink ein',
    heading: '{merchant} lädt Sie ein',
    lead: '{merchant} nimmt Zahlungen mit Paylink an und lädt Sie in das Konto der Firma ein. Über die Schaltfläche wählen Sie ein Passwort. Die Einladung gilt bis {until} und funktioniert ein Mal.',
    button: 'Einladung annehmen',
    foot: 'Wenn Sie den Absender nicht kennen, ignorieren Sie diese E-Mail: Ohne Ihre Zustimmung geschieht nichts. Leiten Sie den Link nicht weiter: Wer ihn hat, kann an Ihrer Stelle beitreten.',
  },
  account: {
    changes: {
      password: {
        heading: 'Ihr Passwort wurde geändert',
        lead: 'Das Passwort Ihres Kontos bei {merchant} wurde am {at} geändert. Alle anderen Sitzungen wurden abgemeldet.',
      },
      reset: {
        heading: 'Ihr Passwort wurde zurückgesetzt',
        lead: 'Das Passwort Ihres Kontos bei {merchant} wurde am {at} über einen Link per E-Mail zurückgesetzt. Alle Sitzungen wurden abgemeldet.',
      },
      totpAdded: {
        heading: 'Eine Authenticator-App wurde hinzugefügt',
        lead: 'Ihrem Konto bei {merchant} wurde am {at} eine Authenticator-App hinzugefügt. Die Anmeldung verlangt jetzt einen Code aus der App.',
      },
      totpRemoved: {
        heading: 'Eine Authenticator-App wurde entfernt',
        lead: 'Die Authenticator-App wurde am {at} von Ihrem Konto bei {merchant} entfernt. Die Anmeldung verlangt keinen Code aus der App mehr.',
      },
      passkeyAdded: {
        heading: 'Ein Passkey wurde hinzugefügt',
        lead: 'Ihrem Konto bei {merchant} wurde am {at} ein Passkey hinzugefügt. Er kann zur Anmeldung verwendet werden.',
      },
      passkeyRemoved: {
        heading: 'Ein Passkey wurde entfernt',
        lead: 'Ein Passkey wurde am {at} von Ihrem Konto bei {merchant} entfernt. Er kann nicht mehr zur Anmeldung verwendet werden.',
      },
      codes: {
        heading: 'Neue Wiederherstellungscodes wurden erstellt',
        lead: 'Für Ihr Konto bei {merchant} wurden am {at} neue Wiederherstellungscodes erstellt. Ihre alten Codes gelten nicht mehr.',
      },
    },
    foot: 'Wenn Sie das nicht waren, setzen Sie sofort Ihr Passwort zurück, melden Sie alle Sitzungen ab und informieren Sie einen Inhaber der Firma.',
  },
};
