// Faults in the books of a payment, as a hand in the database or a fault of ours would leave them, and what `ledger
// verify` has to say of each. Constraints that would refuse one are dropped with it.

import type { Json } from './client.ts';

/** A paid payment with a refund of 5.00 that succeeded. */
export type Target = { paymentId: string; attemptId: string; refundId: string };
export type Query = (text: string, ...values: unknown[]) => Promise<Json[]>;

export type Planted = {
  what: string;
  plant: (query: Query, target: Target) => Promise<unknown>;
  /** The faults that have to be found, and no other, of the payment or of the sums that it is in. */
  faults: string[];
  /** What the sentence about the first of them says. */
  says: RegExp;
};

const removeRefund = async (query: Query, { refundId }: Target) => {
  await query('delete from mails where refund_id = $1', refundId);
  await query('delete from refunds where refund_id = $1', refundId);
};
const addPending = async (query: Query, { refundId }: Target) =>
  await query(
    `insert into refunds (company_id, mode, refund_id, payment_id, attempt_id, kind, state, amount_minor, currency,
                          created_by, created_at, updated_at)
     select company_id, mode, refund_id || 'x', payment_id, attempt_id, kind, 'unknown', 300, currency, created_by,
            created_at, updated_at
     from refunds where refund_id = $1`,
    refundId,
  );
const untried = `where payment_id = (select min(payment_id) from payments p
  where not exists (select from attempts a where a.company_id = p.company_id and a.payment_id = p.payment_id))`;
const copyEntry = `insert into ledger_entries
  select company_id, entry_id || 'x', kind, debit_account, credit_account, amount_minor, currency, payment_id, source_id, at, mode
  from ledger_entries where source_id = $1`;

export const planted: Planted[] = [
  {
    what: 'a paid payment set to open',
    plant: async (query, { paymentId }) =>
      await query(`update payments set state = 'open', refunded_minor = 0 where payment_id = $1`, paymentId),
    faults: [
      'payment reported as paid',
      'payment taken and not paid',
      'refund of another payment',
      'refunded amount differs',
    ],
    says: /events reported it as paid, and it is open.+Do not let it be paid again/,
  },
  {
    what: 'a paid payment set to processing',
    plant: async (query, { paymentId }) =>
      await query(
        `update payments set state = 'processing', refunded_minor = 0 where payment_id = $1`,
        paymentId,
      ),
    faults: [
      'payment reported as paid',
      'payment taken and not paid',
      'refund of another payment',
      'refunded amount differs',
    ],
    says: /it is processing/,
  },
  {
    what: 'an open payment set to processing',
    plant: async (query) => await query(`update payments set state = 'processing' ${untried}`),
    faults: ['payment processing without an attempt'],
    says: /it is processing, and no attempt is under way/,
  },
  {
    what: 'an open payment set to failed',
    plant: async (query) => await query(`update payments set state = 'failed' ${untried}`),
    faults: ['payment failed without an attempt'],
    says: /it failed, and nobody ever tried to pay it/,
  },
  {
    what: 'the attempt of a paid payment set to declined',
    plant: async (query, { attemptId }) =>
      await query(
        `update attempts set state = 'declined', updated_at = now() - interval '2 hours' where attempt_id = $1`,
        attemptId,
      ),
    faults: [
      'capture unfounded',
      'payment paid without an attempt',
      'refund of another payment',
      'sandbox charge not recorded',
    ],
    says: /entry of 19\.99 EUR/,
  },
  {
    what: 'another attempt under way for a paid payment',
    plant: async (query, { attemptId }) => {
      await query('drop index attempts_one_live_per_payment');
      await query(
        `insert into attempts (company_id, mode, attempt_id, payment_id, state, processor, amount_minor, currency, created_at, updated_at)
         select company_id, mode, attempt_id || 'x', payment_id, 'unknown', processor, amount_minor, currency, created_at, updated_at
         from attempts where attempt_id = $1`,
        attemptId,
      );
    },
    faults: ['payment with an attempt under way'],
    says: /it is paid, and an attempt to pay it is still under way/,
  },
  {
    what: 'a second attempt that took the money of a payment',
    plant: async (query, { attemptId }) =>
      await query(
        `insert into attempts (company_id, mode, attempt_id, payment_id, state, processor, amount_minor, currency, created_at, updated_at)
         select company_id, mode, attempt_id || 'x', payment_id, state, 'other', amount_minor, currency, created_at, updated_at
         from attempts where attempt_id = $1`,
        attemptId,
      ),
    faults: ['capture missing', 'payment taken twice'],
    says: /moved 19\.99 EUR, and the ledger has no entry of it/,
  },
  {
    what: 'another amount of a paid payment',
    plant: async (query, { paymentId }) =>
      await query('update payments set amount_minor = 1998 where payment_id = $1', paymentId),
    faults: ['payment taken with another amount'],
    says: /asks for 19\.98 EUR, and its attempt took 19\.99 EUR/,
  },
  {
    what: 'a refund removed',
    plant: removeRefund,
    faults: ['refund removed', 'refund unfounded', 'refunded amount differs', 'sandbox refund of no refund'],
    says: /events reported the refund ref_\w+ of 5\.00 EUR, and it is not stored/,
  },
  {
    what: 'a refund removed with its entry and what was counted of it',
    plant: async (query, target) => {
      await removeRefund(query, target);
      await query('update payments set refunded_minor = 0 where payment_id = $1', target.paymentId);
      await query('delete from ledger_entries where source_id = $1', target.refundId);
      await query(
        `update ledger_totals set amount_minor = amount_minor - 500
         where (company_id, mode, debit_account, shard) in (
           select company_id, mode, 'refunds', (select shard from ledger_totals t
             where t.company_id = p.company_id and t.mode = p.mode and debit_account = 'refunds' and amount_minor > 500 limit 1)
           from payments p where payment_id = $1)`,
        target.paymentId,
      );
    },
    faults: ['refund removed', 'sandbox refund of no refund'],
    says: /and it is not stored/,
  },
  {
    what: 'a refund set to failed',
    plant: async (query, { refundId }) =>
      await query(`update refunds set state = 'failed' where refund_id = $1`, refundId),
    faults: [
      'refund reported as succeeded',
      'refund unfounded',
      'refunded amount differs',
      'sandbox refund not recorded',
    ],
    says: /reported ref_\w+ as succeeded, and the refund is failed/,
  },
  {
    what: 'a refund of another attempt',
    plant: async (query, { refundId, attemptId }) =>
      await query(
        `update refunds set attempt_id = (select min(attempt_id) from attempts a
           where a.company_id = refunds.company_id and state = 'succeeded' and attempt_id <> $2) where refund_id = $1`,
        refundId,
        attemptId,
      ),
    faults: ['refund of another payment', 'sandbox refund of another charge'],
    says: /gives money back that was not taken for this payment/,
  },
  {
    what: 'a wrong sum of pending refunds',
    plant: async (query, { paymentId }) =>
      await query('update payments set refunding_minor = 300 where payment_id = $1', paymentId),
    faults: ['pending refunds differ'],
    says: /under way come to 0\.00 EUR, and the payment has 3\.00 EUR set aside/,
  },
  {
    what: 'a pending refund that nothing is set aside for',
    plant: addPending,
    faults: ['pending refunds differ'],
    says: /under way come to 3\.00 EUR, and the payment has 0\.00 EUR set aside/,
  },
  {
    what: 'a wrong sum of what was given back',
    plant: async (query, { paymentId }) =>
      await query('update payments set refunded_minor = 499 where payment_id = $1', paymentId),
    faults: ['refunded amount differs'],
    says: /gave back 5\.00 EUR, and the payment counts 4\.99 EUR/,
  },
  {
    what: 'an entry removed',
    plant: async (query, { attemptId }) =>
      await query('delete from ledger_entries where source_id = $1', attemptId),
    faults: ['capture missing', 'total differs'],
    says: /the ledger has no entry of it/,
  },
  {
    what: 'a duplicate entry',
    plant: async (query, { refundId }) => {
      await query(
        'alter table ledger_entries drop constraint ledger_entries_company_id_source_id_kind_mode_key',
      );
      await query(copyEntry, refundId);
    },
    faults: ['refund posted twice', 'total differs'],
    says: /more than one entry of it, 10\.00 EUR together/,
  },
  {
    what: 'an entry of another amount',
    plant: async (query, { attemptId }) =>
      await query('update ledger_entries set amount_minor = 1998 where source_id = $1', attemptId),
    faults: ['capture differs', 'total differs'],
    says: /moved 19\.99 EUR, and its entry says 19\.98 EUR/,
  },
  {
    what: 'an entry in another currency',
    plant: async (query, { attemptId }) =>
      await query(`update ledger_entries set currency = 'USD' where source_id = $1`, attemptId),
    faults: ['capture in another currency', 'total differs', 'total differs'],
    says: /moved 19\.99 EUR, and its entry says 19\.99 USD/,
  },
  {
    what: 'an entry with its accounts swapped',
    plant: async (query, { attemptId }) =>
      await query(
        `update ledger_entries set debit_account = credit_account, credit_account = debit_account where source_id = $1`,
        attemptId,
      ),
    faults: ['capture on other accounts', 'total differs', 'total differs'],
    says: /debits and credits other accounts/,
  },
  {
    what: 'an entry that names another payment',
    plant: async (query, { attemptId, paymentId }) =>
      await query(
        `update ledger_entries set payment_id = (select min(payment_id) from payments p
           where p.company_id = ledger_entries.company_id and p.payment_id <> $2) where source_id = $1`,
        attemptId,
        paymentId,
      ),
    faults: ['capture of another payment'],
    says: /names another payment/,
  },
  {
    what: 'a wrong total',
    plant: async (query, { paymentId }) =>
      await query(
        `update ledger_totals set amount_minor = amount_minor + 1 where ctid = (
           select min(t.ctid) from ledger_totals t join payments p using (company_id, mode) where payment_id = $1)`,
        paymentId,
      ),
    faults: ['total differs'],
    says: /^total differs\. The entries from \w+ to \w+ in EUR \((test|live)\) come to .+ EUR/,
  },
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
    says: /the sandbox took 7\.77 EUR under att_of_nobody, which is no attempt of ours/i,
  },
  {
    what: 'a charge removed from the sandbox',
    plant: async (query, { attemptId }) =>
      await query(`update sandbox_charges set state = 'void' where idempotency_key = $1`, attemptId),
    faults: ['sandbox charge missing'],
    says: /took 19\.99 EUR, and the sandbox has no such charge/,
  },
  {
    what: 'a charge of another amount in the sandbox',
    plant: async (query, { attemptId }) =>
      await query('update sandbox_charges set amount_minor = 2000 where idempotency_key = $1', attemptId),
    faults: ['sandbox charge differs'],
    says: /took 19\.99 EUR, and the sandbox says 20\.00 EUR/,
  },
  {
    what: 'a refund removed from the sandbox',
    plant: async (query, { refundId }) =>
      await query('delete from sandbox_refunds where idempotency_key = $1', refundId),
    faults: ['sandbox refund missing'],
    says: /gave back 5\.00 EUR, and the sandbox has no such refund/,
  },
  {
    what: 'a refund of another amount in the sandbox',
    plant: async (query, { refundId }) =>
      await query('update sandbox_refunds set amount_minor = 499 where idempotency_key = $1', refundId),
    faults: ['sandbox refund differs'],
    says: /is a refund of 5\.00 EUR, and the sandbox says 4\.99 EUR/,
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
    says: /gave back 0\.03 EUR under ref_of_nobody/,
  },
];
