// What gives money back, together, so that a fault in one of them is met by all.

export { importExternalRefund } from '../../src/reconciliation/import-external-refund.ts';
export { reconcileRefund, refundPayment } from '../../src/refunds/refund-payment.ts';
