// Every German sentence of the emails and of the receipt, in the shape of the English ones.

import type { en } from './texts-en.ts';

export const de: typeof en = {
  test: 'TESTBETRIEB',
  testMode: 'Testbetrieb: Es wird kein echtes Geld bewegt.',
  labels: {
    merchant: 'An',
    refundingMerchant: 'Von',
    amount: 'Betrag',
    paid: 'Bezahlt',
    refunded: 'Erstattet',
    order: 'Bestellung',
    description: 'Für',
    customer: 'Name',
    email: 'E-Mail-Adresse',
    card: 'Karte',
    paidWith: 'Bezahlt mit',
    paidAt: 'Bezahlt am',
    refundedAt: 'Erstattet am',
    until: 'Zahlbar bis',
    reference: 'Zahlung',
    address: 'Webhook-Adresse',
    endpoint: 'Endpunkt',
    reason: 'Grund',
    failingSince: 'Gestört seit',
    switchedOffAt: 'Abgeschaltet am',
  },
  cardEnding: '{brand} mit den Endziffern {last4}',
  cardEndingOnly: 'mit den Endziffern {last4}',
  transfer: 'Überweisung',
  link: {
    subject: '{merchant}: Bitte zahlen Sie {amount}',
    heading: 'Zahlung an {merchant}',
    lead: '{merchant} bittet Sie um die Zahlung von {amount}.',
    button: '{amount} zahlen',
    foot: '{merchant} hat Ihnen diesen Link schicken lassen. Wenn Sie ihn nicht erwarten, brauchen Sie nichts zu tun.',
  },
  reminder: {
    subject: '{merchant}: {amount} noch nicht bezahlt',
    heading: 'Noch nicht bezahlt: {amount}',
    lead: 'Der Link zur Zahlung von {amount} an {merchant} endet am {until}.',
    button: '{amount} zahlen',
    foot: 'Dies ist die einzige Erinnerung. Wenn Sie es sich anders überlegt haben, brauchen Sie nichts zu tun.',
  },
  receipt: {
    subject: 'Beleg: {amount} an {merchant}',
    heading: 'Danke, das ist bezahlt',
    lead: '{merchant} hat Ihre Zahlung von {amount} erhalten. Der Beleg hängt an.',
    foot: 'Fragen zur Bestellung? Bitte wenden Sie sich an {merchant}.',
  },
  refund: {
    subject: 'Erstattung: {amount} von {merchant}',
    heading: 'Sie bekommen {amount} zurück',
    lead: '{merchant} hat {amount} auf die Karte erstattet, mit der Sie bezahlt haben. Bis Ihre Bank es zeigt, können einige Tage vergehen. Der Beleg hängt an.',
    leadThere:
      '{merchant} hat {amount} auf dem Weg erstattet, auf dem Sie bezahlt haben. Bis Ihre Bank es zeigt, können einige Tage vergehen. Der Beleg hängt an.',
    foot: 'Fragen zur Bestellung? Bitte wenden Sie sich an {merchant}.',
  },
  surplus: {
    subject: '{merchant}: {amount} gehen an Sie zurück',
    heading: 'Sie bekommen {amount} zurück',
    lead: 'Ihre Karte wurde mit {amount} belastet, die {merchant} nicht verlangt hat. Alles davon wurde auf die Karte zurückgeschickt. Bis Ihre Bank es zeigt, können einige Tage vergehen.',
    leadThere:
      'Sie haben {amount} bezahlt, die {merchant} nicht verlangt hat. Alles davon wurde auf dem Weg zurückgeschickt, auf dem Sie bezahlt haben. Bis Ihre Bank es zeigt, können einige Tage vergehen.',
    foot: 'Sie brauchen nichts zu tun. Fragen? Bitte wenden Sie sich an {merchant}.',
  },
  notice: {
    subject: 'Bezahlt: {amount}, Bestellung {order}',
    heading: '{amount} wurden bezahlt',
    lead: 'Jemand hat {amount} an {merchant} bezahlt.',
    foot: 'Mails über Zahlungen lassen sich für die Firma abschalten.',
  },
  endpoint: {
    subject: 'Webhooks an {host} sind abgeschaltet',
    heading: 'Webhooks an {host} sind abgeschaltet',
    lead: '{merchant} bekommt an dieser Adresse keine Webhooks mehr. Zahlungen laufen weiter wie bisher. Sobald die Adresse wieder mit einem Status 2xx antwortet, schalten Sie den Endpunkt ein: PATCH /v1/webhook-endpoints/{endpointId} mit dem Status "enabled". Was bis dahin geschieht, wird 30 Tage aufbewahrt und geschickt, sobald der Endpunkt eingeschaltet ist. Brauchen Sie ihn nicht mehr, löschen Sie ihn.',
    foot: 'Diese Mail betrifft den Betrieb Ihrer Anbindung und kommt auch dann, wenn Mails über Zahlungen abgeschaltet sind.',
    reasons: {
      gone: 'Die Adresse hat mit 410 Gone geantwortet: Dort will niemand mehr Webhooks haben.',
      failing: 'Seit Tagen ist kein Webhook an der Adresse angekommen.',
      other: 'Er wurde abgeschaltet.',
    },
  },
  password: {
    subject: 'Ihr neues Passwort für Paylink',
    heading: 'Neues Passwort setzen',
    lead: 'Jemand hat ein neues Passwort für Ihr Konto bei {merchant} angefordert. Der Knopf führt dorthin, wo Sie es setzen, bis {until} und ein Mal. Danach sind alle Ihre Sitzungen beendet; ein zweiter Faktor bleibt, wie er ist.',
    button: 'Passwort neu setzen',
    foot: 'Waren Sie das nicht, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist. Geben Sie diesen Link nie weiter.',
  },
  invitation: {
    subject: '{merchant} lädt Sie zu Paylink ein',
    heading: '{merchant} lädt Sie ein',
    lead: '{merchant} nimmt Zahlungen mit Paylink an und lädt Sie in das Konto des Unternehmens ein. Über den Knopf gelangen Sie auf eine Seite, auf der Sie ein Passwort wählen. Die Einladung gilt bis {until} und kann ein Mal verwendet werden.',
    button: 'Einladung annehmen',
    foot: 'Wenn Sie den Absender nicht kennen, ignorieren Sie diese Mail: Ohne Ihre Zustimmung geschieht nichts. Leiten Sie den Link nicht weiter: Wer ihn hat, kann an Ihrer Stelle beitreten.',
  },
  account: {
    changes: {
      password: {
        heading: 'Ihr Passwort wurde geändert',
        lead: 'Das Passwort Ihres Kontos bei {merchant} wurde am {at} geändert. Alle anderen Sitzungen des Kontos sind beendet.',
      },
      reset: {
        heading: 'Ihr Passwort wurde neu gesetzt',
        lead: 'Am {at} wurde über den Link, der Ihnen gemailt worden war, ein neues Passwort für Ihr Konto bei {merchant} gesetzt. Alle Sitzungen des Kontos sind beendet.',
      },
      totpAdded: {
        heading: 'Eine Authenticator-App wurde hinzugefügt',
        lead: 'Seit dem {at} verlangt die Anmeldung an Ihrem Konto bei {merchant} einen Code einer Authenticator-App.',
      },
      totpRemoved: {
        heading: 'Die Authenticator-App wurde entfernt',
        lead: 'Seit dem {at} verlangt die Anmeldung an Ihrem Konto bei {merchant} keinen Code einer Authenticator-App mehr.',
      },
      passkeyAdded: {
        heading: 'Ein Passkey wurde hinzugefügt',
        lead: 'Am {at} wurde Ihrem Konto bei {merchant} ein Passkey hinzugefügt. Wer ihn hat, kann sich anmelden.',
      },
      passkeyRemoved: {
        heading: 'Ein Passkey wurde entfernt',
        lead: 'Am {at} wurde ein Passkey von Ihrem Konto bei {merchant} entfernt. Mit ihm meldet sich niemand mehr an.',
      },
      codes: {
        heading: 'Neue Wiederherstellungscodes wurden erstellt',
        lead: 'Am {at} wurden neue Wiederherstellungscodes für Ihr Konto bei {merchant} erstellt. Die bisherigen gelten nicht mehr.',
      },
    },
    foot: 'Waren Sie das nicht, setzen Sie sofort ein neues Passwort, beenden Sie alle Sitzungen des Kontos und sagen Sie es einem Inhaber der Firma.',
  },
  pdf: {
    receipt: 'Beleg',
    refund: 'Beleg über eine Erstattung',
    file: 'beleg',
    fileRefund: 'erstattung',
    foot: 'Dies bestätigt, dass Geld bewegt wurde. Es ist keine Rechnung.',
    test: 'TESTBETRIEB – es wird kein echtes Geld bewegt',
  },
};
