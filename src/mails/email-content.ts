// The content of an email and of a receipt, before rendering: plain data.

import type { Locale } from '../base/locale.ts';

export type LabelledValue = { label: string; value: string };

/** The content of a receipt; plain data, so that another thread can draw it. */
export type Receipt = {
  locale: Locale;
  title: string;
  merchant: string;
  amount: string;
  facts: LabelledValue[];
  foot: string;
  /** The warning of test mode; null if real money moved. */
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
