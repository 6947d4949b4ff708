// The module that medusa-config.ts names. This file needs Medusa.

import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { PaylinkPaymentProvider } from './provider.ts';

export type { IntegrationOptions } from '../../shared/options.ts';
export { PaylinkPaymentProvider };

export default ModuleProvider(Modules.PAYMENT, { services: [PaylinkPaymentProvider] });
