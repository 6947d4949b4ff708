// Runs the service's own statements and records their actual plans.

import pg from 'pg';
import type { Database, TenantTx } from '../../src/db/database.ts';

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Node[];
};

export type Plan = {
  text: string;
  /** Scanned tables. */
  sequential: string[];
  /** Rows read from tables and indexes, before filters. */
  rowsRead: number;
  /** The most rows of one sort. */
  rowsSorted: number;
  /** Pages of 8 kB. */
  pagesRead: number;
};

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

const rowsOut = (node: Node) => node['Actual Rows'] * node['Actual Loops'];

function readPlan(text: string, root: Node): Plan {
  const nodes = nodesOf(root);
  const scans = nodes.filter(
    (node) => / Scan$/.test(node['Node Type']) && node['Node Type'] !== 'Subquery Scan',
  );
  const removed = (node: Node) =>
    ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops'];
  const sorts = nodes.filter((node) => /Sort/.test(node['Node Type']));
  return {
    text,
    sequential: scans
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'] ?? ''),
    rowsRead: scans.reduce((sum, node) => sum + rowsOut(node) + removed(node), 0),
    rowsSorted: Math.max(0, ...sorts.flatMap((node) => (node.Plans ?? []).map(rowsOut))),
    pagesRead: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
  };
}

/** A custom plan for the values, or a generic plan. */
export type PlanKind = 'custom' | 'generic';

type Explained = { 'QUERY PLAN': [{ Plan: Node }] };

const explain = 'explain (analyze, buffers, format json)';

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (!Array.isArray(value)) return pg.escapeLiteral(String(value));
  return pg.escapeLiteral(`{${value.map((member) => JSON.stringify(String(member))).join(',')}}`);
}

async function explainGeneric(tx: TenantTx, text: string, values: readonly unknown[]): Promise<Explained[]> {
  await tx.query("set local plan_cache_mode = 'force_generic_plan'");
  // safe: the text is the product's own statement.
  await tx.query(`prepare explained as ${text}`);
  const given = values.length === 0 ? '' : `(${values.map(literalOf).join(', ')})`;
  // safe: the values are quoted; EXECUTE takes no parameters here.
  const rows = await tx.query<Explained>(`${explain} execute explained${given}`);
  await tx.query('deallocate explained');
  return rows;
}

/** A database that records the plans of company statements in `plans`. */
export function explainInto(plans: Plan[], db: Database, kind: PlanKind = 'custom'): Database {
  const explained = (tx: TenantTx): TenantTx => ({
    ...tx,
    query: async <T extends Record<string, unknown>>(text: string, values: readonly unknown[] = []) => {
      const [row] =
        kind === 'generic'
          ? await explainGeneric(tx, text, values)
          : // safe: the text is the product's own statement.
            await tx.query<Explained>(`${explain} ${text}`, values);
      if (!row) throw new Error('explain returned no plan');
      plans.push(readPlan(text, row['QUERY PLAN'][0].Plan));
      return await tx.query<T>(text, values);
    },
  });
  return {
    ...db,
    inTenant: async (companyId, work) =>
      await db.inTenant(companyId, async (tx) => await work(explained(tx))),
  };
}
