// Previews the hosted page with a draft of a company's branding, for a sample payment. The page must be inert.

import type { PaymentView } from '../attempts/view-payment.ts';
import type { Clock } from '../base/clock.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Locale } from '../base/locale.ts';
import { currencies } from '../base/money.ts';
import { checkBranding, measureContrast } from '../companies/check-company.ts';
import { type Company, findCompany } from '../companies/store.ts';
import { listMethods, type PaymentMethod } from '../connections/list-methods.ts';
import type { Database, TenantTx } from '../db/database.ts';
import type { Principal } from '../http/authentication.ts';
import type { Html } from '../http/html.ts';
import type { Payment } from '../payments/store.ts';
import type { ProcessorRegistry } from '../processors/processor.ts';
import { defaultColor } from './branding.ts';
import type { PageFrame } from './layout.ts';
import { renderPayPage, type TestCard } from './pay-page.ts';
import { renderStatePage } from './state-pages.ts';
import { toPayView, toStateView, type ViewContext } from './views.ts';

export type PreviewDeps = {
  db: Database;
  clock: Clock;
  keyring: Keyring;
  processors: ProcessorRegistry;
  testCards: readonly TestCard[];
};

/** The statuses of a payment that have a permanent page. */
export const previewStates = ['open', 'processing', 'paid', 'failed', 'expired', 'cancelled'] as const;

/** Missing fields keep the company's values; null removes one. */
export type BrandingDraft = { name?: string; color?: string | null; logo?: string | null };

export type PreviewRequest = {
  branding: BrandingDraft;
  state: (typeof previewStates)[number];
  locale: Locale;
};
export type Preview = { html: string; contrast: number; isReadable: boolean };

const inertUrl = '#';
const sampleMinor = 4_990;
const sampleTtlMs = 7 * 24 * 60 * 60 * 1000;

type PreviewSample = { company: Company; state: PreviewRequest['state']; mode: 'test' | 'live'; now: Date };

function samplePayment({ company, state, mode, now }: PreviewSample): Payment {
  return {
    companyId: company.companyId,
    paymentId: 'pay_preview',
    code: 'preview',
    state,
    mode,
    customerOrderId: 'order-1042',
    amountMinor: sampleMinor,
    currency: 'EUR',
    refundedMinor: 0,
    refundingMinor: 0,
    email: 'ada@example.com',
    firstName: null,
    lastName: null,
    phone: null,
    phoneE164: null,
    country: company.country,
    successUrl: 'https://shop.example/',
    failureUrl: 'https://shop.example/',
    description: null,
    locale: null,
    metadata: {},
    items: [],
    requestedMetadata: null,
    requestedExpiresAt: null,
    expiresAt: state === 'expired' ? now : new Date(now.getTime() + sampleTtlMs),
    createdAt: now,
    updatedAt: now,
    customerLocale: null,
    openedAt: null,
    version: 1,
  };
}

/** The card form if the company has no method yet. */
async function findMethods(
  tx: TenantTx,
  processors: ProcessorRegistry,
  sample: Omit<PreviewSample, 'company'>,
): Promise<PaymentMethod[]> {
  const { mode, now } = sample;
  const amountsDue = currencies.map((currency) => ({ mode, currency, amountMinor: sampleMinor }));
  const offered = await listMethods(tx, processors, { amountsDue, now });
  const placeholder = { kind: processors.builtIn, connectionId: null, isUp: true };
  return offered.find((methods) => methods.length > 0) ?? [placeholder];
}

/** Without script, and with a logo that has no URL yet. */
function toInertFrame(frame: PageFrame, { logo }: BrandingDraft): PageFrame {
  const { assets } = frame;
  const shown = logo ? `data:image/png;base64,${logo}` : assets.logo;
  return { ...frame, isPreview: true, assets: { ...assets, js: null, logo: logo === null ? null : shown } };
}

function renderPreview(view: PaymentView, context: ViewContext, draft: BrandingDraft): Html {
  const { state } = view.payment;
  if (state === 'open') {
    const page = toPayView(view, context);
    const frame = toInertFrame(page.frame, draft);
    return renderPayPage({ ...page, frame, action: inertUrl, leavePath: inertUrl, formToken: '' });
  }
  const page = toStateView(view, context, view.payment.successUrl);
  const frame = toInertFrame(page.frame, draft);
  const receipt = page.receiptPath ? { receiptPath: inertUrl } : {};
  return renderStatePage(state, { ...page, ...receipt, frame, refreshPath: inertUrl, formToken: '' });
}

/** Throws `invalid_fields` for an invalid name or logo. */
export async function previewPage(
  deps: PreviewDeps,
  caller: Principal,
  { branding, state, locale }: PreviewRequest,
): Promise<Preview> {
  checkBranding(branding);
  const { keyring, processors, testCards } = deps;
  const now = deps.clock.now();
  const { mode } = caller;
  const [stored, methods] = await deps.db.inTenant(caller, async (tx) => [
    await findCompany(tx),
    await findMethods(tx, processors, { state, mode, now }),
  ]);
  if (!stored) throw new Error('the company of the caller does not exist');
  const brandColor = branding.color === undefined ? stored.brandColor : branding.color;
  const company = { ...stored, name: branding.name?.trim() ?? stored.name, brandColor };
  const view: PaymentView = {
    payment: samplePayment({ company, state, mode, now }),
    company,
    attempt: null,
    declinedAttempts: 0,
    methods,
    isOverpaymentRefunded: false,
    isOverpaymentHeld: false,
  };
  const page = renderPreview(view, { locale, keyring, now, testCards, processors }, branding);
  return { html: page.html, ...measureContrast(brandColor ?? defaultColor) };
}
