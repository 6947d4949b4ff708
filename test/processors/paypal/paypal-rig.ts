// PayPal as the contract suite drives it: the adapter, and the fake that stands where PayPal does.

import { createPaypal } from '../../../src/processors/paypal/paypal.ts';
import { pageCustomer } from '../kit/customer.ts';
import {
  type Asked,
  type LiveRig,
  type Mark,
  newConnection,
  type RigMaker,
  restateSigned,
} from '../kit/rig.ts';
import { startFake } from '../kit/start-fake.ts';
import { apps } from './books.ts';
import { listPageSize, type PaypalCommand } from './commands.ts';

const credentialsOf = ({ clientId, clientSecret, webhookId }: (typeof apps)[number]) => ({
  clientId,
  clientSecret,
  webhookId,
});

export type PaypalRig = LiveRig & {
  command(command: PaypalCommand): Promise<void>;
  /** How many tokens the fake gave so far. */
  countTokens(): Promise<number>;
};

export async function startPaypalRig(): Promise<PaypalRig> {
  const fake = await startFake(new URL('./fake.ts', import.meta.url));
  const connection = newConnection(credentialsOf(apps[0]));
  const withCredential = (field: string, value: string) => ({
    field,
    connection: { ...connection, credentials: { ...connection.credentials, [field]: value } },
  });
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const command = async (wish: PaypalCommand) => {
    await fake.control({ command: wish });
  };
  return {
    command,
    countTokens: async () => (await fake.lines()).filter(({ type }) => type === 'token').length,
    kind: createPaypal({ apiUrl: fake.url, clock: { now } }),
    connection,
    otherConnection: newConnection(credentialsOf(apps[1])),
    sharingConnection: newConnection(credentialsOf(apps[0])),
    badConnections: [
      { ...withCredential('clientId', 'AWnobody'), opensNothing: true },
      { ...withCredential('clientSecret', 'EJwrong'), opensNothing: true },
      withCredential('webhookId', apps[1].webhookId),
    ],
    routes: {
      authorise: 'POST /v2/checkout/orders',
      capture: 'POST /v2/checkout/orders/:id/capture',
      refund: 'POST /v2/payments/captures/:id/refund',
    },
    cardFor: () => null,
    customer: pageCustomer,
    now,
    advanceMs: async (ms) => {
      aheadMs += ms;
      await fake.control({ advanceMs: ms });
    },
    control: fake.control,
    money: fake.money,
    webhooks: fake.webhooks,
    chargeElsewhere: async (amountMinor) => await command({ chargeElsewhere: amountMinor }),
    setMoney: async (way) => {
      if (way === 'whole') await command({ everyCapture: null });
      else if ('waits' in way) await command({ everyCapture: { status: 'PENDING' } });
      else {
        const value = `${Math.trunc(way.partMinor / 100)}.${String(way.partMinor % 100).padStart(2, '0')}`;
        await command({ everyCapture: { status: 'COMPLETED', amount: { currency_code: 'EUR', value } } });
      }
    },
    settle: async () => await command({ settle: true }),
    fakeUrl: fake.url,
    hearAt: async (url) => await command({ webhookUrl: url }),
    restate: async (place, texts) => await restateSigned(fake, place, texts),
    chargeAnyway: async (attemptId) => await command({ chargeAnyway: attemptId }),
    refundElsewhere: async (attemptId, amountMinor) =>
      await command({ refundElsewhere: { attemptId, amountMinor } }),
    failElsewhere: async (attemptId) => await command({ failElsewhere: attemptId }),
    stop: fake.stop,
  };
}

/** The note of an order with some of its ids changed. */
const noteWith = (changes: Partial<Asked>) => (asked: Asked) => {
  const { attemptId, connectionId, companyId } = { ...asked, ...changes };
  return [attemptId, connectionId, companyId].join('/');
};
const refundNoteWith = (changes: Partial<Asked>) => (asked: Asked) =>
  `${{ ...asked, ...changes }.refundId}/${noteWith(changes)(asked)}`;

const order = (name: string, path: string, to: unknown): Mark => ({
  ...{ name: `${name} of the order`, on: 'payment', route: 'GET /v2/checkout/orders/:id', path, to },
});
const unit = (name: string, path: string, to: unknown): Mark => order(name, `purchase_units.0.${path}`, to);
const capture = (name: string, path: string, to: unknown): Mark => ({
  ...unit(name, `payments.captures.0.${path}`, to),
  name: `${name} of the capture`,
  isLater: true,
});
const refund = (name: string, path: string, to: unknown): Mark => ({
  ...{
    name: `${name} of the refund`,
    on: 'refund',
    route: 'POST /v2/payments/captures/:id/refund',
    path,
    to,
  },
});

// PayPal's objects have no mode: which of its hosts answers is the mode.
const marks: readonly Mark[] = [
  { ...order('id', 'id', 'ANOTHER0000000000'), isLater: true },
  unit('attempt', 'custom_id', noteWith({ attemptId: 'att_another' })),
  unit('connection', 'custom_id', noteWith({ connectionId: 'con_another' })),
  unit('company', 'custom_id', noteWith({ companyId: 'co_another' })),
  unit('invoice', 'invoice_id', 'att_another'),
  unit('link', 'reference_id', 'another'),
  unit('amount', 'amount.value', '20.00'),
  unit('currency', 'amount.currency_code', 'USD'),
  capture('attempt', 'custom_id', noteWith({ attemptId: 'att_another' })),
  capture('connection', 'custom_id', noteWith({ connectionId: 'con_another' })),
  capture('company', 'custom_id', noteWith({ companyId: 'co_another' })),
  capture('invoice', 'invoice_id', 'att_another'),
  refund('refund', 'invoice_id', 'ref_another'),
  refund('noted refund', 'custom_id', refundNoteWith({ refundId: 'ref_another' })),
  refund('attempt', 'custom_id', refundNoteWith({ attemptId: 'att_another' })),
  refund('connection', 'custom_id', refundNoteWith({ connectionId: 'con_another' })),
  refund('company', 'custom_id', refundNoteWith({ companyId: 'co_another' })),
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
    // PayPal keeps an order for three hours; what is approved too late is never captured.
    expires: false,
    notices: 'signed',
    // PayPal tries for three days, and signs each try with the time of the first.
    noticeLifeMs: 4 * 24 * 60 * 60 * 1000,
    isRemote: true,
    waits: ['PENDING'],
    takesPart: true,
    marks,
    pageSize: listPageSize,
  },
  start: startPaypalRig,
};
