// The accounts of the fake Stripe, shared by the fake and the tests.

export type FakeAccount = {
  id: string;
  name: string | null;
  secretKey: string;
  /** Restricted keys: without any permission, and without the permission for refunds. */
  uselessKey: string;
  refundlessKey: string;
  webhookSecret: string;
  isLive: boolean;
};

const account = (word: string, name: string | null, mode: 'test' | 'live'): FakeAccount => ({
  id: `acct_${word}`,
  name,
  secretKey: `sk_${mode}_${word}Secret`,
  uselessKey: `rk_${mode}_${word}Useless`,
  refundlessKey: `rk_${mode}_${word}Refundless`,
  webhookSecret: `whsec_${word}Signing`,
  isLive: mode === 'live',
});

export const accounts = {
  chairs: account('chairs', 'Chairs Ltd', 'test'),
  tables: account('tables', null, 'test'),
  shelves: account('shelves', 'Shelves Ltd', 'live'),
};
