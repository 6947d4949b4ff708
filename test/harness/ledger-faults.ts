// Faults in the ledger of a payment, and the finding of `ledger verify` for each.

import type { Planted, Query, Target } from './ledger-fault.ts';
import { sandboxFaults } from './sandbox-faults.ts';

const removeRefund = async (query: Query, { refundId }: Target) => {
  await query('delete from mails where refund_id = $1', refundId);
  await query('delete from refunds where refund_id = $1', refundId);
};
/** The largest value of a column, beyond a number. */
const most = '9223372036854775807';
const allowDuplicates = async (query: Query) =>
  await query(
    'alter table ledger_entries drop constraint if exists ledger_entries_company_id_source_id_kind_mode_key',
  );
const addPending = async (query: Query, { refundId }: Target, { id, amount } = { id: 'x', amount: '300' }) =>
  await query(
    `insert into refunds (company_id, mode, refund_id, payment_id, attempt_id, kind, state, amount_minor, currency,
                          created_by, created_at, updated_at)
     select company_id, mode, refund_id || $2, payment_id, attempt_id, kind, 'unknown', $3, currency, created_by,
            created_at, updated_at
     from refunds where refund_id = $1`,
    refundId,
    id,
    amount,
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
      'refund without its capture',
      'refunded amount differs',
    ],
    says: /an event reported it as paid, but it is open.+Make sure that nobody pays it again/i,
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
      'payment processing without an attempt',
      'payment taken and not paid',
      'refund without its capture',
      'refunded amount differs',
    ],
    says: /it is processing/,
  },
  {
    what: 'an open payment set to processing',
    plant: async (query) => await query(`update payments set state = 'processing' ${untried}`),
    faults: ['payment processing without an attempt'],
    says: /it is processing, but no attempt is in progress/,
  },
  {
    what: 'an open payment set to failed',
    plant: async (query) => await query(`update payments set state = 'failed' ${untried}`),
    faults: ['payment failed without an attempt'],
    says: /it failed without an attempt/,
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
      'refund without its capture',
      'sandbox charge not recorded',
    ],
    says: /entry of 19\.99 EUR/,
  },
  {
    what: 'two attempts under way for one payment',
    plant: async (query) => {
      await query('drop index attempts_one_live_per_payment');
      await query(
        `with pair as (
           select company_id, mode, min(payment_id) as payment_id from attempts a
           where state = 'requires_action' group by company_id, mode)
         insert into attempts (company_id, mode, attempt_id, payment_id, state, processor, amount_minor, currency, created_at, updated_at)
         select company_id, mode, attempt_id || 'y', payment_id, state, processor, amount_minor, currency, created_at, updated_at
         from attempts join pair using (company_id, mode, payment_id)`,
      );
    },
    faults: ['payment with several attempts under way'],
    says: /more than one attempt is in progress.+Compare it with the processor’s statement before anybody pays it again/,
  },
  {
    what: 'another attempt under way for a paid payment',
    plant: async (query, { attemptId }) => {
      await query('drop index if exists attempts_one_live_per_payment');
      await query(
        `insert into attempts (company_id, mode, attempt_id, payment_id, state, processor, amount_minor, currency, created_at, updated_at)
         select company_id, mode, attempt_id || 'x', payment_id, 'unknown', processor, amount_minor, currency, created_at, updated_at
         from attempts where attempt_id = $1`,
        attemptId,
      );
    },
    faults: ['payment with an attempt under way'],
    says: /it is paid, but an attempt is still in progress/,
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
    says: /moved 19\.99 EUR, but the ledger has no entry for it/,
  },
  {
    what: 'another amount of a paid payment',
    plant: async (query, { paymentId }) =>
      await query('update payments set amount_minor = 1998 where payment_id = $1', paymentId),
    faults: ['payment taken with another amount'],
    says: /its amount is 19\.98 EUR, but its attempt collected 19\.99 EUR/,
  },
  {
    what: 'a payment of two attempts set to open',
    plant: async (query, { paymentId, attemptId }) => {
      await query(
        `insert into attempts (company_id, mode, attempt_id, payment_id, state, processor, amount_minor, currency, created_at, updated_at)
         select company_id, mode, attempt_id || 'x', payment_id, state, 'other', amount_minor, currency, created_at, updated_at
         from attempts where attempt_id = $1`,
        attemptId,
      );
      await query(`update payments set state = 'open', refunded_minor = 0 where payment_id = $1`, paymentId);
    },
    faults: [
      'capture missing',
      'payment reported as paid',
      'payment taken and not paid',
      'payment taken twice',
      'refund without its capture',
      'refunded amount differs',
    ],
    says: /an attempt collected 19\.99 EUR, but the payment is open/,
  },
  {
    what: 'an attempt with an amount that is not a safe integer',
    plant: async (query, { attemptId }) =>
      await query(`update attempts set amount_minor = ${most} where attempt_id = $1`, attemptId),
    faults: ['capture differs', 'payment taken with another amount', 'sandbox charge differs'],
    says: /its amount is 19\.99 EUR, but its attempt collected 9223372036854775807 minor units of EUR/,
  },
  {
    what: 'pending refunds whose sum is beyond a bigint',
    plant: async (query, target) => {
      await addPending(query, target, { id: 'x', amount: most });
      await addPending(query, target, { id: 'y', amount: most });
    },
    faults: ['pending refunds differ', 'refunds exceed the payment'],
    says: /in progress total 18446744073709551614 minor units of EUR/,
  },
  {
    what: 'a removed refund whose event has an invalid amount',
    plant: async (query, target) => {
      await removeRefund(query, target);
      await query(
        `update events set data = data || '{"amountMinor": "much"}'
         where type = 'refund.created' and data->>'refundId' = $1`,
        target.refundId,
      );
    },
    faults: ['refund removed', 'refund unfounded', 'refunded amount differs', 'sandbox refund of no refund'],
    says: /an event reported the refund ref_\w+ of much minor units of EUR, but it is not stored/,
  },
  {
    what: 'a refund above its payment, consistent in all records',
    plant: async (query, { paymentId, refundId }) => {
      await query('alter table payments drop constraint payments_refunds_within_amount');
      await query('alter table payments drop constraint payments_check');
      await query('update payments set refunded_minor = 2000 where payment_id = $1', paymentId);
      await query('update refunds set amount_minor = 2000 where refund_id = $1', refundId);
    },
    faults: ['refund differs', 'refunds exceed the payment', 'sandbox refund differs'],
    says: /its amount is 19\.99 EUR, but its refunds total 20\.00 EUR.+Before you refund more/,
  },
  {
    what: 'a refund removed',
    plant: removeRefund,
    faults: ['refund removed', 'refund unfounded', 'refunded amount differs', 'sandbox refund of no refund'],
    says: /an event reported the refund ref_\w+ of 5\.00 EUR, but it is not stored/,
  },
  {
    what: 'a refund removed with its entry and its sums',
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
    says: /but it is not stored/,
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
    says: /reported ref_\w+ as succeeded, but the refund is failed/,
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
    faults: ['refund without its capture', 'sandbox refund of another charge'],
    says: /refunds money that was not collected for this payment/,
  },
  {
    what: 'a wrong sum of pending refunds',
    plant: async (query, { paymentId }) =>
      await query('update payments set refunding_minor = 300 where payment_id = $1', paymentId),
    faults: ['pending refunds differ'],
    says: /in progress total 0\.00 EUR, but the payment has 3\.00 EUR reserved/,
  },
  {
    what: 'a pending refund without a reserved amount',
    plant: addPending,
    faults: ['pending refunds differ'],
    says: /in progress total 3\.00 EUR, but the payment has 0\.00 EUR reserved/,
  },
  {
    what: 'a wrong refunded amount',
    plant: async (query, { paymentId }) =>
      await query('update payments set refunded_minor = 499 where payment_id = $1', paymentId),
    faults: ['refunded amount differs'],
    says: /5\.00 EUR was refunded, but the payment counts 4\.99 EUR/,
  },
  {
    what: 'an entry removed',
    plant: async (query, { attemptId }) =>
      await query('delete from ledger_entries where source_id = $1', attemptId),
    faults: ['capture missing', 'total differs'],
    says: /the ledger has no entry for it/,
  },
  {
    what: 'a duplicate entry',
    plant: async (query, { refundId }) => {
      await allowDuplicates(query);
      await query(copyEntry, refundId);
    },
    faults: ['refund posted twice', 'total differs'],
    says: /several entries for it, which total 10\.00 EUR/,
  },
  {
    what: 'an entry posted twice over sums beyond a bigint',
    plant: async (query, { refundId }) => {
      await allowDuplicates(query);
      await query(copyEntry, refundId);
      await query(`update ledger_entries set amount_minor = ${most} where source_id = $1`, refundId);
    },
    faults: ['refund differs', 'refund differs', 'refund posted twice', 'total differs'],
    says: /several entries for it, which total 18446744073709551614 minor units of EUR/,
  },
  {
    what: 'an entry of another amount',
    plant: async (query, { attemptId }) =>
      await query('update ledger_entries set amount_minor = 1998 where source_id = $1', attemptId),
    faults: ['capture differs', 'total differs'],
    says: /moved 19\.99 EUR, but its entry has 19\.98 EUR/,
  },
  {
    what: 'an entry in another currency',
    plant: async (query, { attemptId }) =>
      await query(`update ledger_entries set currency = 'USD' where source_id = $1`, attemptId),
    faults: ['capture in another currency', 'total differs', 'total differs'],
    says: /moved 19\.99 EUR, but its entry has 19\.99 USD/,
  },
  {
    what: 'an entry with its accounts swapped',
    plant: async (query, { attemptId }) =>
      await query(
        `update ledger_entries set debit_account = credit_account, credit_account = debit_account where source_id = $1`,
        attemptId,
      ),
    faults: ['capture on other accounts', 'total differs', 'total differs'],
    says: /has the wrong accounts for its kind/,
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
    says: /names the wrong payment/,
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
    says: /^total differs\. The entries from \w+ to \w+ in EUR \((test|live)\) total .+ EUR/,
  },
  ...sandboxFaults,
];
