// Generated from openapi.json by generate-types.ts: change the routes of the service, never this file.

import type { Operations } from './api-types.ts';

/** Method and path; whether it takes credentials, and whether it answers JSON. */
export type Route = { method: string; path: string; isOpen: boolean; isJson: boolean };

export const routes: Readonly<Record<keyof Operations, Route>> = {
  getHealth: { method: 'GET', path: '/healthz', isOpen: true, isJson: true },
  getReadiness: { method: 'GET', path: '/readyz', isOpen: true, isJson: true },
  logIn: { method: 'POST', path: '/v1/auth/login', isOpen: true, isJson: true },
  getKeySet: { method: 'GET', path: '/.well-known/jwks.json', isOpen: true, isJson: true },
  processPayment: { method: 'POST', path: '/v1/payment/process', isOpen: false, isJson: true },
  getPayment: { method: 'GET', path: '/v1/payments/{code}', isOpen: false, isJson: true },
  cancelPayment: { method: 'POST', path: '/v1/payments/{code}/cancel', isOpen: false, isJson: true },
  refundPayment: { method: 'POST', path: '/v1/payments/{code}/refunds', isOpen: false, isJson: true },
  listRefunds: { method: 'GET', path: '/v1/payments/{code}/refunds', isOpen: false, isJson: true },
  listCases: { method: 'GET', path: '/v1/cases', isOpen: false, isJson: true },
};
