// What gives money back, together, so that a fault in one of them is met by all.

export { reconcileRefund, refundPayment } from '../../src/payments/refund-payment.ts';
export { takeOverRefund } from '../../src/payments/take-over-refund.ts';
