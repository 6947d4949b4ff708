// Previews the hosted page with a draft of a company's branding, for a sample payment. The page must be inert.

import type { PaymentView } from '../attempts/view-payment.ts';
import type { Clock } from '../base/clock.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Locale } from '../base/locale.ts';
import { currencies } from '../base/money.ts';
import { checkDraft, measureContrast } from '../companies/check-company.ts';
import { applyIdentity } from '../companies/check-identity.ts';
import type { IdentityChange } from '../companies/identity-schema.ts';
import { type Company, findCompany } from '../companies/store.ts';
import { listMethods, type OfferedMethod } from '../connections/list-methods.ts';
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
export type BrandingDraft = {
  name?: string;
  color?: string | null;
  logo?: string | null;
  identity?: IdentityChange;
};

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
): Promise<OfferedMethod[]> {
  const { mode, now } = sample;
  const amountsDue = currencies.map((currency) => ({ mode, currency, amountMinor: sampleMinor }));
  const offered = await listMethods(tx, processors, { amountsDue, now });
  const { builtIn } = processors;
  const placeholder = { kind: builtIn, connectionId: null, name: builtIn.title, offers: [], isUp: true };
  return offered.find((methods) => methods.length > 0) ?? [placeholder];
}

/** Without script, and with a logo that has no URL yet. */
function toInertFrame(frame: PageFrame, company: Company, { logo }: BrandingDraft): PageFrame {
  const { assets } = frame;
  // An uploaded logo is shown before that in the settings, here as on the real page.
  const isDraft = logo && !company.logoFile;
  const shown = isDraft ? { logo: `data:image/png;base64,${logo}`, logoRatio: null } : {};
  return { ...frame, isPreview: true, assets: { ...assets, ...shown, js: null } };
}

function renderPreview(view: PaymentView, context: ViewContext, draft: BrandingDraft): Html {
  const { company } = view;
  const { state } = view.payment;
  if (state === 'open') {
    const page = toPayView(view, context);
    const frame = toInertFrame(page.frame, company, draft);
    return renderPayPage({ ...page, frame, action: inertUrl, leavePath: inertUrl, formToken: '' });
  }
  const page = toStateView(view, context, { returnUrl: view.payment.successUrl });
  const frame = toInertFrame(page.frame, company, draft);
  const inert = {
    refreshPath: inertUrl,
    formToken: '',
    ...(page.receipt ? { receipt: { ...page.receipt, page: inertUrl, pdf: inertUrl } } : {}),
    ...(page.requestPath ? { requestPath: inertUrl } : {}),
  };
  return renderStatePage(state, { ...page, ...inert, frame });
}

/** The company as it would be after saving the draft. */
function draftCompany(stored: Company, { name, color, logo, identity = {} }: BrandingDraft): Company {
  return {
    ...stored,
    ...applyIdentity(stored, identity),
    name: name?.trim() ?? stored.name,
    brandColor: color === undefined ? stored.brandColor : color,
    logoHash: logo === null ? null : stored.logoHash,
  };
}

/** Throws `invalid_fields` for an invalid name, logo or identity. */
export async function previewPage(
  deps: PreviewDeps,
  caller: Principal,
  { branding, state, locale }: PreviewRequest,
): Promise<Preview> {
  checkDraft(branding);
  const { keyring, processors, testCards } = deps;
  const now = deps.clock.now();
  const { mode } = caller;
  const [stored, methods] = await deps.db.inTenant(caller, async (tx) => [
    await findCompany(tx),
    await findMethods(tx, processors, { state, mode, now }),
  ]);
  if (!stored) throw new Error('the company of the caller does not exist');
  const company = draftCompany(stored, branding);
  const view: PaymentView = {
    payment: samplePayment({ company, state, mode, now }),
    company,
    attempt: null,
    attempts: [],
    declinedAttempts: 0,
    methods,
    overpaymentRefund: null,
    isOverpaymentHeld: false,
    testTime: null,
  };
  const page = renderPreview(view, { locale, keyring, now, testCards, processors }, branding);
  return { html: page.html, ...measureContrast(company.brandColor ?? defaultColor) };
}
