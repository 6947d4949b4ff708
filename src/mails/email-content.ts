// The content of an email, before rendering: plain data.

import type { Locale } from '../base/locale.ts';
import type { LabelledValue } from '../receipts/compose-receipt.ts';

export type LabelledLink = { label: string; url: string };

export type EmailContent = {
  locale: Locale;
  subject: string;
  heading: string;
  lead: string;
  facts: LabelledValue[];
  button: LabelledLink | null;
  /** A file to download, below the button. */
  download: LabelledLink | null;
  foot: string;
  warning: string | null;
};
