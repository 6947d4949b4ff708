// German translations of the API's English texts about processors and their fields. A text without a translation (of a
// processor that is newer than this page) is shown as the API has it. Pure.

import type { OperationResponse } from '../../api/call.ts';

export type Kind = OperationResponse<'listProcessors'>['data'][number];
export type Field = Kind['fields'][number];
export type Words = { label: string; help: string };

export const germanTitles: Readonly<Record<string, string>> = { bank_transfer: 'Überweisung' };

const fields: Readonly<Record<string, Words>> = {
  'bank_transfer.holder': {
    label: 'Kontoinhaber',
    help: 'Der Name, wie Ihre Bank ihn schreibt. Banken vergleichen ihn mit dem, was der Kunde angibt.',
  },
  'bank_transfer.iban': {
    label: 'IBAN',
    help: 'Das Konto, auf das Kunden bezahlen, zum Beispiel DE02 1203 0000 0000 2020 51. Es muss Euro annehmen.',
  },
  'bank_transfer.bic': {
    label: 'BIC',
    help: 'Nur für Banken außerhalb des EWR. 8 oder 11 Buchstaben und Ziffern.',
  },
  'bank_transfer.daysToPay': {
    label: 'Tage zum Bezahlen',
    help: 'Wie viele Tage ein Kunde Zeit hat, 1 bis 60; ohne Angabe 7.',
  },
  'mollie.apiKey': {
    label: 'API-Schlüssel',
    help: 'Im Mollie-Dashboard unter „Developers“, „API keys“: live_… für den Live-Modus, test_… für den Testmodus.',
  },
  'paypal.clientId': {
    label: 'Client-ID',
    help: 'Auf developer.paypal.com unter „Apps & Credentials“ bei Ihrer App („Sandbox“ zum Testen, „Live“ für echte Zahlungen); etwa 80 Zeichen.',
  },
  'paypal.clientSecret': {
    label: 'Geheimer Schlüssel',
    help: 'Auf derselben Seite unter der Client-ID: „secret key“ 1 oder 2.',
  },
  'paypal.webhookId': {
    label: 'Webhook-ID',
    help: 'Auf derselben Seite unter „Webhooks“, sobald die Adresse dieser Verbindung dort eingetragen ist; etwa 17 Großbuchstaben und Ziffern. Ohne sie gilt jeder Webhook als gefälscht.',
  },
  'stripe.secretKey': {
    label: 'Geheimer Schlüssel',
    help: 'Im Stripe-Dashboard unter „Developers“, „API keys“. Er beginnt mit sk_test_ oder sk_live_. Ein eingeschränkter Schlüssel (rk_…) genügt: Schreiben für Checkout Sessions und Refunds, Lesen für PaymentIntents, Charges und Accounts.',
  },
  'stripe.webhookSecret': {
    label: 'Signaturgeheimnis der Webhooks',
    help: 'Im Stripe-Dashboard unter „Developers“, „Webhooks“ beim Endpunkt mit der Adresse dieser Verbindung („Signing secret“). Es beginnt mit whsec_; ohne es gilt jeder Webhook als gefälscht.',
  },
};

/** The events that a webhook needs, from the end of the API's help text. */
const eventsOf = (help: string) => /needs these events: (.+)\.$/.exec(help)?.[1];

export function germanField(processor: string, field: Field): Words {
  const known = fields[`${processor}.${field.name}`];
  if (!known) return field;
  const events = eventsOf(field.help);
  return events ? { ...known, help: `${known.help} Nötige Ereignisse: ${events}.` } : known;
}
