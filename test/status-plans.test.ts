// Reading the status steps along the indexes of waiting rows: it reads no row that has ended, however many there are.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { SystemTx } from '../src/db/database.ts';
import { findOldestUnsealed } from '../src/events/seal-events.ts';
import { countUnknownAttempts } from '../src/payments/attempt-store.ts';
import { countCasesByKind } from '../src/payments/case-store.ts';
import { findUnfilled } from '../src/search/fill-store.ts';
import { kindsOfRows } from '../src/status/kinds-of-rows.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';
import { engines } from './harness/paylink.ts';

/** The indexes that have only rows that wait, or that find the few rows beside one of them. */
const narrow: Readonly<Record<string, readonly string[]>> = {
  attempts: ['attempts_due', 'attempts_escalated'],
  refunds: ['refunds_due', 'refunds_escalated', 'refunds_attempt'],
  bank_lines: ['bank_lines_due'],
  bank_transfers: ['bank_transfers_due'],
  webhook_deliveries: ['webhook_deliveries_waiting'],
  mails: ['mails_waiting'],
  events: ['events_unsealed'],
  processor_cases: ['processor_cases_open'],
};

type Node = { 'Relation Name'?: string; 'Index Name'?: string; Plans?: Node[] };

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** How each large table is read, by the plans of all statements of the work. */
async function readPlans(bare: DatabaseFixture, work: (tx: SystemTx) => Promise<unknown>): Promise<Node[]> {
  const nodes: Node[] = [];
  const explain = async (tx: SystemTx) => {
    const query = async (text: string, values?: readonly unknown[]) => {
      // safe: a statement of the service.
      const [row] = await tx.query<{ 'QUERY PLAN': unknown }>(`explain (format json) ${text}`, values);
      const plans = row?.['QUERY PLAN'];
      const [first] = (typeof plans === 'string' ? JSON.parse(plans) : plans) as { Plan: Node }[];
      if (first) nodes.push(...nodesOf(first.Plan));
      return await tx.query(text, values);
    };
    await work({ query } as SystemTx);
  };
  await bare.db.inSystem(explain, { prefersIndexScans: true });
  return nodes.filter((node) => Object.hasOwn(narrow, node['Relation Name'] ?? ''));
}

const ended = 20_000;

for (const engine of engines)
  describe(`the plans of the status on the ${engine} database`, () => {
    let bare: DatabaseFixture;
    before(async () => {
      bare = await openDatabaseFixture(engine);
      const companyId = await bare.createCompany();
      const money = `'sandbox', 100, 'EUR', now(), now()`;
      await bare.db.withConnection(async ({ query }) => {
        await query('set session_replication_role = replica');
        await query(
          `insert into attempts (company_id, mode, attempt_id, payment_id, state, processor, amount_minor, currency,
                                 created_at, updated_at)
           select $1, 'live', 'att_' || i, 'pay_' || i, 'succeeded', ${money} from generate_series(1, $2::integer) i`,
          [companyId, ended],
        );
        await query(
          `insert into refunds (company_id, mode, refund_id, payment_id, attempt_id, kind, state, created_by, target,
                                amount_minor, currency, created_at, updated_at)
           select $1, 'live', 'ref_' || i, 'pay_' || i, 'att_' || i, 'surplus', 'succeeded', 'test', ${money}
           from generate_series(1, $2::integer) i`,
          [companyId, ended],
        );
        await query('analyze attempts, refunds');
      });
    });
    after(async () => await bare.stop());

    test('no statement reads a table of payments other than by an index of what waits', async () => {
      const at = new Date();
      const nodes = await readPlans(bare, async (tx) => {
        for (const { countDue } of Object.values(kindsOfRows)) await countDue(tx, at, 100);
        await countUnknownAttempts(tx, 100);
        await countCasesByKind(tx, 100);
        await findOldestUnsealed(tx);
        await findUnfilled(tx);
      });
      assert.deepEqual(
        new Set(nodes.map((node) => node['Relation Name'])),
        new Set(Object.keys(narrow)),
        'every table is read',
      );
      for (const { 'Relation Name': table = '', 'Index Name': index = 'no index' } of nodes)
        assert.ok(narrow[table]?.includes(index), `${table} is read by ${index}`);
    });

    test('a statement that reads what has ended is detected', async () => {
      const nodes = await readPlans(
        bare,
        async (tx) => await tx.query(`select count(*)::integer as count from refunds where kind = 'surplus'`),
      );
      const indexes = nodes.map(({ 'Index Name': index = 'no index' }) => index);
      assert.ok(indexes.length > 0 && !narrow.refunds?.includes(indexes[0] ?? ''), indexes.join());
    });
  });
