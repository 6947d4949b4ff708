// Faults in the records of the sandbox.

import type { Planted } from './ledger-fault.ts';

export const sandboxFaults: Planted[] = [
  {
    what: 'a charge added to the sandbox',
    plant: async (query, { attemptId }) =>
      await query(
        `insert into sandbox_charges (company_id, mode, idempotency_key, reference, state, amount_minor, currency, created_at)
         select company_id, mode, 'att_of_nobody', reference || 'x', state, 777, currency, created_at
         from sandbox_charges where idempotency_key = $1`,
        attemptId,
      ),
    faults: ['sandbox charge of no attempt'],
    says: /the sandbox collected 7\.77 EUR under att_of_nobody, which is not an attempt/i,
  },
  {
    what: 'a charge removed from the sandbox',
    plant: async (query, { attemptId }) =>
      await query(`update sandbox_charges set state = 'void' where idempotency_key = $1`, attemptId),
    faults: ['sandbox charge missing'],
    says: /collected 19\.99 EUR, but the sandbox has no such charge/,
  },
  {
    what: 'a charge with a different amount in the sandbox',
    plant: async (query, { attemptId }) =>
      await query('update sandbox_charges set amount_minor = 2000 where idempotency_key = $1', attemptId),
    faults: ['sandbox charge differs'],
    says: /collected 19\.99 EUR, but the sandbox recorded 20\.00 EUR/,
  },
  {
    what: 'a refund removed from the sandbox',
    plant: async (query, { refundId }) =>
      await query('delete from sandbox_refunds where idempotency_key = $1', refundId),
    faults: ['sandbox refund missing'],
    says: /refunded 5\.00 EUR, but the sandbox has no such refund/,
  },
  {
    what: 'a refund with a different amount in the sandbox',
    plant: async (query, { refundId }) =>
      await query('update sandbox_refunds set amount_minor = 499 where idempotency_key = $1', refundId),
    faults: ['sandbox refund differs'],
    says: /is a refund of 5\.00 EUR, but the sandbox recorded 4\.99 EUR/,
  },
  {
    what: 'a refund added to the sandbox',
    plant: async (query, { refundId }) =>
      await query(
        `insert into sandbox_refunds (company_id, mode, idempotency_key, charge_reference, reference, state, amount_minor, currency, created_at)
         select company_id, mode, 'ref_of_nobody', charge_reference, reference || 'x', state, 3, currency, created_at
         from sandbox_refunds where idempotency_key = $1`,
        refundId,
      ),
    faults: ['sandbox refund of no refund'],
    says: /refunded 0\.03 EUR under ref_of_nobody/,
  },
];
