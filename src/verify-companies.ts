// Checks all companies, each inside its tenant scope, and describes what is wrong in plain sentences, for the
// nightly job and the command line. It corrects nothing; the payments themselves record what a processor's
// list proves.

import type { Database, TenantTx } from './db/database.ts';
import { type ChainHead, type ChainViolation, readChainHead, verifyChain } from './events/verify-chain.ts';
import { iterateCompanies } from './iterate-companies.ts';
import { describeLedgerDiscrepancy } from './ledger/describe-discrepancy.ts';
import { type LedgerDiscrepancy, ledgerChecks, notVerified, runCheck } from './ledger/verify-ledger.ts';
import { sandboxChecks } from './ledger/verify-sandbox.ts';
import {
  type CompareDeps,
  compareSinceLast,
  listRoutes,
  type ProcessorDiscrepancy,
} from './reconciliation/compare-processor.ts';

/** One fault, with its sentence for people. */
export type VerificationFinding<F> = { companyId: string; sentence: string; fault: F };
export type VerificationReport<F> = { companies: number; findings: VerificationFinding<F>[] };

/** Options of a run over all companies; the command line has no limit and prints all findings at the end. */
export type RunOptions = {
  /** Receives each finding at once, so that a killed run has reported its findings so far. */
  onFinding?: (finding: VerificationFinding<unknown>) => void;
  /** Called before each step. If true, the run ends with a finding that says so. */
  isTimeUp?: () => boolean;
};

const show = (minor: number | null) => (minor === null ? 'nothing' : `${minor} minor units`);

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Collects findings and reports each one as it is added. */
function collectFindings<F>(onFinding: RunOptions['onFinding']): {
  findings: VerificationFinding<F>[];
  add: (finding: VerificationFinding<F>) => void;
} {
  const findings: VerificationFinding<F>[] = [];
  return {
    findings,
    add: (finding) => {
      findings.push(finding);
      onFinding?.(finding);
    },
  };
}

const timeIsUp =
  'The time limit was reached: the ledgers of this and later companies were not fully compared.';

const checks = [...ledgerChecks, ...sandboxChecks];

/**
 * Compares every company's ledger, payments, attempts, refunds, events and the sandbox's records. Each check
 * has its own transaction, so it delays vacuum no longer than it runs. A failing one, such as one that takes
 * too long, is a finding and does not stop the others.
 */
export async function verifyAllLedgers(
  db: Database,
  { onFinding, isTimeUp = () => false }: RunOptions = {},
): Promise<VerificationReport<LedgerDiscrepancy>> {
  const { findings, add } = collectFindings<LedgerDiscrepancy>(onFinding);
  let companies = 0;
  for await (const companyId of iterateCompanies(db)) {
    companies += 1;
    for (const verify of checks) {
      if (isTimeUp()) {
        add({ companyId, sentence: timeIsUp, fault: notVerified(companyId) });
        return { companies, findings };
      }
      try {
        const faults = await db.inBothModes(companyId, async (tx) => await runCheck(tx, verify), {
          isSnapshot: true,
        });
        for (const fault of faults) add({ companyId, sentence: describeLedgerDiscrepancy(fault), fault });
      } catch (error) {
        const sentence = `The comparison of ${verify.about} failed: ${reasonOf(error)}`;
        add({ companyId, sentence, fault: notVerified(companyId) });
      }
    }
  }
  return { companies, findings };
}

/** The number of discrepancies in findings, and of comparisons that failed. */
export function countLedgerFindings(findings: readonly VerificationFinding<LedgerDiscrepancy>[]): {
  disagreements: number;
  notVerified: number;
} {
  const failed = findings.filter(({ fault }) => fault.fault === 'not verified').length;
  const listed = findings.filter(({ fault }) => fault.fault !== 'not verified');
  const disagreements = listed.reduce((sum, { fault }) => sum + (fault.unlisted ?? 1), 0);
  return { disagreements, notVerified: failed };
}

function describeDrift({ processor, fault, key, oursMinor, theirsMinor }: ProcessorDiscrepancy): string {
  return `${processor} and Paylink disagree about ${key}, ${fault}: ${show(theirsMinor)} there, ${show(oursMinor)} here.`;
}

/**
 * Compares every company's records with the processors' lists, of the last three days and of the time before that was not
 * compared yet. An unavailable list is a finding, and the others are still compared.
 */
export async function compareAllProcessors(
  deps: CompareDeps,
  { onFinding, isTimeUp = () => false }: RunOptions = {},
): Promise<VerificationReport<ProcessorDiscrepancy | null>> {
  const until = deps.clock.now();
  const { findings, add } = collectFindings<ProcessorDiscrepancy | null>(onFinding);
  let companies = 0;
  for await (const companyId of iterateCompanies(deps.db)) {
    companies += 1;
    const routes = await listRoutes(deps, companyId).catch((error) => {
      add({ companyId, sentence: `The ledger could not be compared: ${reasonOf(error)}`, fault: null });
      return [];
    });
    for (const route of routes) {
      if (isTimeUp()) {
        add({ companyId, sentence: timeIsUp, fault: null });
        return { companies, findings };
      }
      try {
        for await (const faults of compareSinceLast(deps, route, { until, isTimeUp }))
          for (const fault of faults) add({ companyId, sentence: describeDrift(fault), fault });
      } catch (error) {
        const connection = [route.processor, route.connectionId].filter(Boolean).join(' ');
        const sentence = `The ledger could not be compared with ${connection}: ${reasonOf(error)}`;
        add({ companyId, sentence, fault: null });
      }
    }
  }
  return { companies, findings };
}

/** Verifies every company's hash chain, and returns where each ends. */
export async function verifyAllChains(
  db: Database,
): Promise<VerificationReport<ChainViolation> & { heads: (ChainHead & { companyId: string })[] }> {
  const findings: VerificationFinding<ChainViolation>[] = [];
  const heads: (ChainHead & { companyId: string })[] = [];
  const read = async (tx: TenantTx) => ({ faults: await verifyChain(tx), head: await readChainHead(tx) });
  for await (const companyId of iterateCompanies(db)) {
    const { faults, head } = await db.inBothModes(companyId, read, { isSnapshot: true });
    findings.push(...faults.map((fault) => ({ companyId, sentence: fault.detail, fault })));
    heads.push({ companyId, ...head });
  }
  return { companies: heads.length, findings, heads };
}
