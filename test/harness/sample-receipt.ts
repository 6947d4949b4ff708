// A receipt for tests of drawing.

import type { Receipt } from '../../src/receipts/compose-receipt.ts';

export const sampleReceipt: Receipt = {
  locale: 'en',
  title: 'Receipt',
  merchant: 'Café Zürich',
  amount: '€19.99',
  facts: [{ label: 'Customer', value: 'Ada Lovelace' }],
  foot: 'It is not an invoice.',
  warning: null,
  paidAt: new Date('2026-11-21T10:00:00Z'),
  fileName: 'receipt.pdf',
};
