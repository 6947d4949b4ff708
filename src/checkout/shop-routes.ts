// The success and failure pages of the sandbox's demo shop. Like a merchant should, it trusts only the signed result.

import type { Clock } from '../base/clock.ts';
import { companyOfLinkCode } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import { chooseLocale } from '../base/locale.ts';
import type { HttpServer } from '../http/http-server.ts';
import { pageAssets } from './branding.ts';
import { sendPage } from './send-page.ts';
import { renderShopPage, type ShopView } from './shop-page.ts';

export type ShopDeps = { keyring: Keyring; clock: Clock; baseUrl: string };

export function shopPaths(baseUrl: string): { success: string; failure: string } {
  return { success: `${baseUrl}/sandbox/shop/success`, failure: `${baseUrl}/sandbox/shop/failure` };
}

async function checkResult(
  deps: ShopDeps,
  query: Record<string, unknown>,
): Promise<Pick<ShopView, 'verification' | 'result'>> {
  const token = String(query.paymentResult ?? '');
  const audience = companyOfLinkCode(String(query.PaymentLinkCode ?? '')) ?? '';
  try {
    const claims = await deps.keyring.verify('payment-result+jwt', token, {
      issuer: deps.baseUrl,
      audience,
      now: deps.clock.now(),
    });
    const result = Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, String(value)]));
    return { verification: { verified: true }, result };
  } catch (error) {
    return {
      verification: { verified: false, reason: error instanceof Error ? error.message : '' },
      result: null,
    };
  }
}

export function registerShopRoutes(app: HttpServer, deps: ShopDeps): void {
  for (const outcome of ['success', 'failure'] as const) {
    app.get(`/sandbox/shop/${outcome}`, { schema: { hide: true } }, async (request, reply) => {
      const locale = chooseLocale({ acceptLanguage: request.headers['accept-language'] });
      const checked = await checkResult(deps, request.query as Record<string, unknown>);
      const frame = { locale, merchantName: '', assets: pageAssets(null), isTestMode: true };
      return sendPage(reply, { html: renderShopPage({ frame, outcome, ...checked }), locale });
    });
  }
}
