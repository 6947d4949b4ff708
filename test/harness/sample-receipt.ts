// A receipt for tests of drawing.

import type { Receipt } from '../../src/receipts/compose-receipt.ts';

export const sampleReceipt: Receipt = {
  locale: 'en',
  title: 'Receipt',
  number: 'R-4kTz91QbXy',
  merchant: 'Café Zürich',
  address: ['Bahnhofstrasse 1', '8001 Zürich'],
  logo: null,
  amount: '€19.99',
  facts: [{ label: 'Customer', value: 'Ada Lovelace' }],
  items: [],
  sums: [{ label: 'Total', note: null, amount: '€19.99' }],
  foot: 'It is not an invoice.',
  contact: [],
  warning: null,
  paidAt: new Date('2026-11-21T10:00:00Z'),
  fileName: 'receipt.pdf',
};
