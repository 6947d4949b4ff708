// The functions of refunds, exported together so that a fault affects all of them.

export { importExternalRefund } from '../../src/reconciliation/import-external-refund.ts';
export { reconcileRefund, refundPayment } from '../../src/refunds/refund-payment.ts';
