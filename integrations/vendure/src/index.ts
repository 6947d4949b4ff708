// The exports of the package.

export type { IntegrationOptions } from '../../shared/options.ts';
export { PaylinkLink } from './link-entity.ts';
export { paylinkPaymentHandler } from './payment-handler.ts';
export { PaylinkPlugin, webhookPath } from './plugin.ts';
