// The rig of PayPal: the adapter and the fake PayPal.

import { createPaypal } from '../../../src/processors/paypal/paypal.ts';
import {
  type IdentifyingField,
  type LiveRig,
  newConnection,
  type RequestIds,
  type RigMaker,
  signReplaced,
} from '../kit/rig.ts';
import { startFakeRig } from '../kit/start-rig.ts';
import { listPageSize, type PaypalCommand } from './commands.ts';
import { apps } from './records.ts';

const credentialsOf = ({ appId: _, ...credentials }: (typeof apps)[number]) => credentials;

export type PaypalRig = LiveRig & {
  command(command: PaypalCommand): Promise<void>;
  /** How many tokens the fake has issued. */
  countTokens(): Promise<number>;
};

export async function startPaypalRig(): Promise<PaypalRig> {
  const { fake, command, rig, withCredential } = await startFakeRig<PaypalCommand>(
    new URL('./fake.ts', import.meta.url),
    newConnection(credentialsOf(apps[0])),
    newConnection(credentialsOf(apps[1])),
  );
  return {
    ...rig,
    command,
    countTokens: async () => (await fake.lines()).filter(({ type }) => type === 'token').length,
    kind: createPaypal({ apiUrl: fake.url, clock: rig }),
    invalidConnections: [
      { ...withCredential('clientId', 'AWnobody'), isUnknownAccount: true },
      { ...withCredential('clientSecret', 'EJwrong'), isUnknownAccount: true },
      withCredential('webhookId', apps[1].webhookId),
    ],
    routes: {
      authorise: 'POST /v2/checkout/orders',
      capture: 'POST /v2/checkout/orders/:id/capture',
      refund: 'POST /v2/payments/captures/:id/refund',
    },
    setCaptureResult: async (result) => {
      if (result === 'whole') await command({ everyCapture: null });
      else if ('waits' in result) await command({ everyCapture: { status: 'PENDING' } });
      else {
        const amount = { currency_code: 'EUR', value: (result.partMinor / 100).toFixed(2) };
        await command({ everyCapture: { status: 'COMPLETED', amount } });
      }
    },
    settle: async () => await command({ settle: true }),
    setWebhookUrl: async (url) => await command({ webhookUrl: url }),
    rewrite: async (place, texts) => await signReplaced(fake, place, texts),
  };
}

/** The custom_id of an order with some IDs changed. */
const customIdWith = (changes: Partial<RequestIds>) => (ids: RequestIds) => {
  const { attemptId, connectionId, companyId } = { ...ids, ...changes };
  return [attemptId, connectionId, companyId].join('/');
};
const refundCustomIdWith = (changes: Partial<RequestIds>) => (ids: RequestIds) =>
  `${{ ...ids, ...changes }.refundId}/${customIdWith(changes)(ids)}`;

const order = (name: string, path: string, to: unknown): IdentifyingField => ({
  ...{ name: `${name} of the order`, on: 'payment', route: 'GET /v2/checkout/orders/:id', path, to },
});
const unit = (name: string, path: string, to: unknown): IdentifyingField =>
  order(name, `purchase_units.0.${path}`, to);
const capture = (name: string, path: string, to: unknown): IdentifyingField => ({
  ...unit(name, `payments.captures.0.${path}`, to),
  name: `${name} of the capture`,
  isLater: true,
});
const refund = (name: string, path: string, to: unknown): IdentifyingField => ({
  ...{
    name: `${name} of the refund`,
    on: 'refund',
    route: 'POST /v2/payments/captures/:id/refund',
    path,
    to,
  },
});

// PayPal's objects have no mode: its two environments have separate hosts.
const identifyingFields: readonly IdentifyingField[] = [
  { ...order('id', 'id', 'ANOTHER0000000000'), isLater: true },
  unit('attempt', 'custom_id', customIdWith({ attemptId: 'att_another' })),
  unit('connection', 'custom_id', customIdWith({ connectionId: 'con_another' })),
  unit('company', 'custom_id', customIdWith({ companyId: 'co_another' })),
  unit('invoice', 'invoice_id', 'att_another'),
  unit('link', 'reference_id', 'another'),
  unit('amount', 'amount.value', '20.00'),
  unit('currency', 'amount.currency_code', 'USD'),
  capture('attempt', 'custom_id', customIdWith({ attemptId: 'att_another' })),
  capture('connection', 'custom_id', customIdWith({ connectionId: 'con_another' })),
  capture('company', 'custom_id', customIdWith({ companyId: 'co_another' })),
  capture('invoice', 'invoice_id', 'att_another'),
  refund('refund', 'invoice_id', 'ref_another'),
  refund('custom_id refund', 'custom_id', refundCustomIdWith({ refundId: 'ref_another' })),
  refund('attempt', 'custom_id', refundCustomIdWith({ attemptId: 'att_another' })),
  refund('connection', 'custom_id', refundCustomIdWith({ connectionId: 'con_another' })),
  refund('company', 'custom_id', refundCustomIdWith({ companyId: 'co_another' })),
  refund('amount', 'amount.value', '2.99'),
  refund('currency', 'amount.currency_code', 'USD'),
];

export const paypalRig: RigMaker<LiveRig> = {
  name: 'paypal',
  features: {
    capturesSeparately: true,
    declineEnds: true,
    turningBack: 'stays',
    cancelsOpen: true,
    findsByKey: true,
    // PayPal keeps an order for three hours; Paylink never captures one that is approved too late.
    expires: false,
    webhooks: 'signed',
    // PayPal retries for three days, and signs each attempt with the time of the first.
    webhookLifeMs: 4 * 24 * 60 * 60 * 1000,
    isRemote: true,
    waits: ['PENDING'],
    takesPart: true,
    identifyingFields,
    pageSize: listPageSize,
  },
  start: startPaypalRig,
};
