// The state of the fake PayPal: its records, tokens, settings, and webhooks. Must not: import code of the service.

import { randomBytes } from 'node:crypto';
import type { FakeRequest, FakeResponse, FakeServer } from '../kit/fake-server.ts';
import type { PaypalCommand } from './commands.ts';
import { apps, newId, type OrderLine, openRecords, type PaypalLine, type Records } from './records.ts';
import { refusal, showEvent, showOrder } from './shapes.ts';
import { createSigning, type Signing } from './signing.ts';

const tokenLifeSeconds = 32_400;

export type Settings = Required<
  Pick<PaypalCommand, 'nextCaptures' | 'everyCapture' | 'isPatchable' | 'areRefundsPending' | 'listLagMs'>
> & { webhookUrl: string | null };

export type FakeState = {
  url: string;
  now(): Date;
  records: Records;
  signing: Signing;
  settings: Settings;
  issueToken(request: FakeRequest): FakeResponse;
  /** The app of a request's token, or null. */
  appOf(request: FakeRequest): string | null;
  dropTokens(): void;
  show(order: OrderLine, status?: number): FakeResponse;
  /** Sends a webhook of an app. */
  sendWebhook(app: string, type: string, resourceType: string, resource: object): void;
};

/** An app by its ID and secret in the HTTP Basic header. */
function findApp(request: FakeRequest): (typeof apps)[number] | undefined {
  const encoded = request.headers.authorization?.replace('Basic ', '') ?? '';
  const pair = Buffer.from(encoded, 'base64').toString();
  return apps.find(({ clientId, clientSecret }) => pair === `${clientId}:${clientSecret}`);
}

/** The refusal of unknown clients: here, every app in PayPal's live environment. */
export const refusedClient: FakeResponse = {
  status: 401,
  body: { error: 'invalid_client', error_description: 'Client Authentication failed' },
};

export function openState(server: FakeServer<PaypalLine>): FakeState {
  const { url, now, notify } = server;
  const records = openRecords(server);
  const signing = createSigning();
  const tokens = new Map<string, { app: string; endsAt: Date }>();
  const settings: Settings = {
    nextCaptures: [],
    everyCapture: null,
    isPatchable: true,
    areRefundsPending: false,
    listLagMs: 0,
    webhookUrl: null,
  };
  const certUrl = `${url}/v1/notifications/certs/${signing.certificateId}`;
  return {
    url,
    now,
    records,
    signing,
    settings,
    issueToken: (request) => {
      const app = findApp(request);
      if (!app) return refusedClient;
      const token = `A21AA${randomBytes(20).toString('hex')}`;
      const endsAt = new Date(now().getTime() + tokenLifeSeconds * 1000);
      tokens.set(token, { app: app.clientId, endsAt });
      records.noteToken(app.clientId);
      const scope = 'https://uri.paypal.com/services/payments/payment';
      const known = { token_type: 'Bearer', app_id: app.appId, expires_in: tokenLifeSeconds, scope };
      return { status: 200, body: { access_token: token, ...known } };
    },
    appOf: (request) => {
      const token = tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
      return token && token.endsAt > now() ? token.app : null;
    },
    dropTokens: () => tokens.clear(),
    show: (order, status = 200) => ({ status, body: showOrder(url, order, records.refundsOf(order.id)) }),
    sendWebhook: (app, type, resourceType, resource) =>
      notify({
        url: app === apps[0].clientId ? settings.webhookUrl : null,
        contentType: 'application/json',
        body: showEvent(newId(), type, resourceType, resource, now()),
        sign: signing.transmit(certUrl, apps.find(({ clientId }) => clientId === app)?.webhookId ?? ''),
      }),
  };
}

/** A handler for requests with a valid token. */
export const forApp =
  (fake: FakeState, handle: (fake: FakeState, app: string, request: FakeRequest) => FakeResponse) =>
  (request: FakeRequest) => {
    const app = fake.appOf(request);
    return app === null ? refusal(401, 'INVALID_TOKEN') : handle(fake, app, request);
  };
