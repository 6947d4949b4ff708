// Goes round all companies, each from inside its own wall, and puts what is wrong into plain sentences:
// for the nightly job and for the command line. It mends nothing: only what a
// processor's list proves is recorded, by the payments themselves.

import type { Database, TenantTx } from './db/database.ts';
import { type ChainFault, type ChainHead, readChainHead, verifyChain } from './events/verify-chain.ts';
import { everyCompany } from './every-company.ts';
import { describeLedgerFault } from './ledger/describe-fault.ts';
import { type LedgerFault, verifyLedger } from './ledger/verify-ledger.ts';
import { verifySandbox } from './ledger/verify-sandbox.ts';
import {
  type CompareDeps,
  compareProcessor,
  type Drift,
  listRoutes,
} from './reconciliation/compare-processor.ts';

/** One thing that is wrong, with the sentence for a person. */
export type Finding<F> = { companyId: string; sentence: string; fault: F };
export type Verified<F> = { companies: number; findings: Finding<F>[] };

async function inEveryCompany<T>(
  db: Database,
  look: (tx: TenantTx) => Promise<T>,
): Promise<{ companyId: string; seen: T }[]> {
  const all: { companyId: string; seen: T }[] = [];
  for await (const companyId of everyCompany(db))
    all.push({ companyId, seen: await db.inBothModes(companyId, look, { isSnapshot: true }) });
  return all;
}

const show = (minor: number | null) => (minor === null ? 'nothing' : `${minor}`);

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function verifyBooks(tx: TenantTx): Promise<LedgerFault[]> {
  return [...(await verifyLedger(tx)), ...(await verifySandbox(tx))];
}

/** A company whose books could not be looked at. */
const notVerified = (companyId: string): LedgerFault => ({
  ...{ fault: 'not verified', sourceId: companyId, paymentId: null, PaymentLinkCode: null, state: null },
  ...{ expectedMinor: null, postedMinor: null, currency: null, postedCurrency: null },
});

/**
 * Compares every company's ledger, payments, attempts, refunds, events and what the sandbox has of them, in one snapshot
 * for each company. A company whose books can't be looked at, say because they are too much for one statement, is a
 * finding of its own, and keeps nobody else from being looked at.
 */
export async function verifyEveryLedger(db: Database): Promise<Verified<LedgerFault>> {
  const findings: Finding<LedgerFault>[] = [];
  let companies = 0;
  for await (const companyId of everyCompany(db)) {
    companies += 1;
    try {
      for (const fault of await db.inBothModes(companyId, verifyBooks, { isSnapshot: true }))
        findings.push({ companyId, sentence: describeLedgerFault(fault), fault });
    } catch (error) {
      const sentence = `The ledger could not be verified: ${reasonOf(error)}`;
      findings.push({ companyId, sentence, fault: notVerified(companyId) });
    }
  }
  return { companies, findings };
}

function describeDrift({ processor, fault, key, oursMinor, theirsMinor }: Drift): string {
  return `${processor} and our books disagree about ${key}, ${fault}: ${show(theirsMinor)} minor units there, ${show(oursMinor)} here.`;
}

/** How far back the nightly comparison looks: a night that was missed is made good by the next. */
const comparedMs = 3 * 24 * 60 * 60 * 1000;

/**
 * Compares every company's books with the processors' own lists over the last three days. A list that
 * can't be had is a finding of its own, and keeps nobody else from being looked at.
 */
export async function compareEveryCompany(deps: CompareDeps): Promise<Verified<Drift | null>> {
  const until = deps.clock.now();
  const from = new Date(until.getTime() - comparedMs);
  const findings: Finding<Drift | null>[] = [];
  let companies = 0;
  for await (const companyId of everyCompany(deps.db)) {
    companies += 1;
    for (const route of await listRoutes(deps, companyId)) {
      try {
        for (const fault of await compareProcessor(deps, { ...route, from, until }))
          findings.push({ companyId, sentence: describeDrift(fault), fault });
      } catch (error) {
        const way = [route.processor, route.connectionId].filter(Boolean).join(' ');
        const sentence = `The books could not be compared with ${way}: ${reasonOf(error)}`;
        findings.push({ companyId, sentence, fault: null });
      }
    }
  }
  return { companies, findings };
}

/** Proves every company's chain of events, and says where each ends. */
export async function verifyEveryChain(
  db: Database,
): Promise<Verified<ChainFault> & { heads: (ChainHead & { companyId: string })[] }> {
  const all = await inEveryCompany(db, async (tx) => ({
    faults: await verifyChain(tx),
    head: await readChainHead(tx),
  }));
  const findings = all.flatMap(({ companyId, seen }) =>
    seen.faults.map((fault) => ({ companyId, sentence: fault.detail, fault })),
  );
  return {
    companies: all.length,
    findings,
    heads: all.map(({ companyId, seen }) => ({ companyId, ...seen.head })),
  };
}
