// Goes round all companies, each from inside its own wall, and puts what is wrong into plain sentences:
// for the nightly job and for the command line. It must never mend anything, nor write.

import type { Database, TenantTx } from './db/database.ts';
import { type ChainFault, type ChainHead, readChainHead, verifyChain } from './events/verify-chain.ts';
import { type LedgerFault, verifyLedger } from './ledger/verify-ledger.ts';
import { listCompanyIds } from './merchants/store.ts';

/** One thing that is wrong, with the sentence for a person. */
export type Finding<F> = { companyId: string; sentence: string; fault: F };
export type Verified<F> = { companies: number; findings: Finding<F>[] };

const companiesAtATime = 500;

async function inEveryCompany<T>(
  db: Database,
  look: (tx: TenantTx) => Promise<T>,
): Promise<{ companyId: string; seen: T }[]> {
  const all: { companyId: string; seen: T }[] = [];
  let after = '';
  for (;;) {
    const companies = await db.inSystem(async (tx) => await listCompanyIds(tx, after, companiesAtATime));
    for (const companyId of companies) all.push({ companyId, seen: await db.inTenant(companyId, look) });
    after = companies.at(-1) ?? '';
    if (companies.length < companiesAtATime) return all;
  }
}

function describeLedgerFault({ fault, sourceId, expectedMinor, postedMinor }: LedgerFault): string {
  const show = (minor: number | null) => (minor === null ? 'nothing' : `${minor}`);
  return `${fault}: ${sourceId} should stand at ${show(expectedMinor)} minor units and stands at ${show(postedMinor)}.`;
}

/** Compares every company's ledger with its payments. */
export async function verifyEveryLedger(db: Database): Promise<Verified<LedgerFault>> {
  const all = await inEveryCompany(db, verifyLedger);
  const findings = all.flatMap(({ companyId, seen }) =>
    seen.map((fault) => ({ companyId, sentence: describeLedgerFault(fault), fault })),
  );
  return { companies: all.length, findings };
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
