// What a letter and a receipt are, before anybody has made them look like something: plain data.

import type { Locale } from '../base/locale.ts';

export type LabelledValue = { label: string; value: string };

/** What a receipt shows; plain data, so that it can be drawn in another thread. */
export type Receipt = {
  locale: Locale;
  title: string;
  merchant: string;
  amount: string;
  facts: LabelledValue[];
  foot: string;
  /** The warning of test mode; null when real money moved. */
  warning: string | null;
  at: Date;
};

export type EmailContent = {
  locale: Locale;
  subject: string;
  heading: string;
  lead: string;
  facts: LabelledValue[];
  button: { label: string; url: string } | null;
  foot: string;
  warning: string | null;
  receipt: { data: Receipt; fileName: string } | null;
};
