// Generated from openapi.json by generate-types.ts: change the routes of the service, never this file.

import type { Operations } from './api-types.ts';

/** Method and path; whether it takes credentials, and whether it answers JSON. */
export type Route = { method: string; path: string; isOpen: boolean; isJson: boolean };

export const routes: Readonly<Record<keyof Operations, Route>> = {
  getHealth: { method: 'GET', path: '/healthz', isOpen: true, isJson: true },
  getReadiness: { method: 'GET', path: '/readyz', isOpen: true, isJson: true },
  getProblem: { method: 'GET', path: '/problems/{code}', isOpen: true, isJson: true },
  logIn: { method: 'POST', path: '/v1/auth/login', isOpen: true, isJson: true },
  getKeySet: { method: 'GET', path: '/.well-known/jwks.json', isOpen: true, isJson: true },
  listApiKeys: { method: 'GET', path: '/v1/api-keys', isOpen: false, isJson: true },
  createApiKey: { method: 'POST', path: '/v1/api-keys', isOpen: false, isJson: true },
  rollApiKey: { method: 'POST', path: '/v1/api-keys/{keyId}/roll', isOpen: false, isJson: true },
  revokeApiKey: { method: 'DELETE', path: '/v1/api-keys/{keyId}', isOpen: false, isJson: true },
  getMe: { method: 'GET', path: '/v1/me', isOpen: false, isJson: true },
  changePassword: { method: 'POST', path: '/v1/me/password', isOpen: false, isJson: true },
  listSessions: { method: 'GET', path: '/v1/me/sessions', isOpen: false, isJson: true },
  endOtherSessions: { method: 'DELETE', path: '/v1/me/sessions', isOpen: false, isJson: true },
  logOut: { method: 'POST', path: '/v1/auth/logout', isOpen: false, isJson: true },
  endSession: { method: 'DELETE', path: '/v1/me/sessions/{sessionId}', isOpen: false, isJson: true },
  listMembers: { method: 'GET', path: '/v1/members', isOpen: false, isJson: true },
  inviteMember: { method: 'POST', path: '/v1/members', isOpen: false, isJson: true },
  changeMember: { method: 'PATCH', path: '/v1/members/{accountId}', isOpen: false, isJson: true },
  removeMember: { method: 'DELETE', path: '/v1/members/{accountId}', isOpen: false, isJson: true },
  listInvitations: { method: 'GET', path: '/v1/invitations', isOpen: false, isJson: true },
  revokeInvitation: { method: 'DELETE', path: '/v1/invitations/{invitationId}', isOpen: false, isJson: true },
  acceptInvitation: { method: 'POST', path: '/v1/invitations/accept', isOpen: true, isJson: true },
  getCompany: { method: 'GET', path: '/v1/company', isOpen: false, isJson: true },
  changeCompany: { method: 'PATCH', path: '/v1/company', isOpen: false, isJson: true },
  processPayment: { method: 'POST', path: '/v1/payment/process', isOpen: false, isJson: true },
  getPayment: { method: 'GET', path: '/v1/payments/{code}', isOpen: false, isJson: true },
  updatePayment: { method: 'PATCH', path: '/v1/payments/{code}', isOpen: false, isJson: true },
  cancelPayment: { method: 'POST', path: '/v1/payments/{code}/cancel', isOpen: false, isJson: true },
  refundPayment: { method: 'POST', path: '/v1/payments/{code}/refunds', isOpen: false, isJson: true },
  listRefunds: { method: 'GET', path: '/v1/payments/{code}/refunds', isOpen: false, isJson: true },
  listCases: { method: 'GET', path: '/v1/cases', isOpen: false, isJson: true },
  listPayments: { method: 'GET', path: '/v1/payments', isOpen: false, isJson: true },
  exportPayments: { method: 'GET', path: '/v1/exports/payments', isOpen: false, isJson: false },
  listEvents: { method: 'GET', path: '/v1/events', isOpen: false, isJson: true },
  listPaymentEvents: { method: 'GET', path: '/v1/payments/{code}/events', isOpen: false, isJson: true },
  listBalances: { method: 'GET', path: '/v1/balances', isOpen: false, isJson: true },
  listLedgerEntries: { method: 'GET', path: '/v1/ledger/entries', isOpen: false, isJson: true },
  drawQrCode: { method: 'GET', path: '/v1/payments/{code}/qr', isOpen: false, isJson: false },
  sendPaymentLink: { method: 'POST', path: '/v1/payments/{code}/send', isOpen: false, isJson: true },
};
