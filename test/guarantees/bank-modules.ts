// The functions of bank transfers, exported together so that a fault affects all of them.

export { pay } from '../../src/attempts/pay.ts';
export { reconcileAttempt } from '../../src/attempts/reconcile-attempt.ts';
export { importStatement } from '../../src/bank/import-statement.ts';
export { matchBankLines } from '../../src/bank/match-lines.ts';
export { refreshTransfer } from '../../src/bank/refresh-transfer.ts';
export { createBankTransfer } from '../../src/processors/bank-transfer/bank-transfer.ts';
export {
  creditTransfer,
  excessOf,
  findTransfer,
  listUnsettled,
  lockTransfer,
} from '../../src/processors/bank-transfer/transfer-store.ts';
