// The content of an email, before rendering: plain data.

import type { Locale } from '../base/locale.ts';
import type { LabelledValue } from '../receipts/compose-receipt.ts';
import type { ReceiptRow } from '../receipts/receipt-rows.ts';

export type LabelledLink = { label: string; url: string };

/** How the company looks. Without a logo that mail programs show, its name is in the logo's place. */
export type EmailBrand = { name: string; logoUrl: string | null; color: string };

/** What legal pages and customers need to know about the merchant, at the end of an email to a customer. */
export type EmailImprint = {
  /** The name and the address, one line each. */
  address: string[];
  vatId: LabelledValue | null;
  links: LabelledLink[];
};

export type EmailContent = {
  locale: Locale;
  brand: EmailBrand;
  subject: string;
  /** What mail programs show after the subject in the list of emails. The email itself does not show it. */
  preheader: string;
  heading: string;
  /** The amount that the email is about, in large figures. */
  amount: string | null;
  lead: string;
  items: ReceiptRow[];
  /** Where the rest of many items is. */
  moreItems: LabelledLink | null;
  sums: ReceiptRow[];
  facts: LabelledValue[];
  button: LabelledLink | null;
  /** A file to download, below the button. */
  download: LabelledLink | null;
  foot: string;
  imprint: EmailImprint | null;
  warning: string | null;
};

/** What an email has only if it is about a payment. */
export const withoutPayment = {
  ...{ amount: null, items: [], moreItems: null, sums: [], facts: [], download: null, imprint: null },
  warning: null,
} satisfies Partial<EmailContent>;
