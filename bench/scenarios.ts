// The load scenarios as plans for wrk: for each its requests, their expected statuses, and what they write.
// Data only.

import { type Credentials, credentialHeaders, orderOf } from '../test/harness/client.ts';
import { password, testCsc } from '../test/harness/paylink.ts';
import type { RowsWritten } from './database.ts';
import { ownerEmail } from './run-paylink.ts';
import { formatRawRequest, type RequestTemplate } from './wrk.ts';

export type ScenarioRequest = RequestTemplate & { writes?: keyof RowsWritten };

export type BenchScenario = {
  name: string;
  what: string;
  connections: number;
  requests: readonly ScenarioRequest[];
  cycle: readonly number[];
  /** Whether it is repeated with more payments in the table. */
  isGrowing: boolean;
};

export type LoadTarget = { host: string; credentials: Credentials };

const json = { 'content-type': 'application/json' };
const browser = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.5',
  'accept-encoding': 'gzip, deflate, br, zstd',
};

/** The order ID comes first: the customer of an order depends on it. */
const order = (customerOrderId: string) =>
  JSON.stringify({
    customerOrderId,
    ...orderOf({ customerOrderId, email: 'anna{customer}@example.com', lastName: 'Lovelace {customer}' }),
  });

export const orderBody = order('{order}');

const create = ({ host, credentials }: LoadTarget, id = '{order}'): ScenarioRequest => ({
  text: formatRawRequest(
    host,
    ['POST', '/v1/payment/process'],
    { ...json, ...credentialHeaders(credentials) },
    order(id),
  ),
  status: 200,
  // A repeated request gets the existing link.
  ...(id === '{order}' ? { writes: 'links' as const } : {}),
});

const view = ({ host }: LoadTarget, code = '{view}'): ScenarioRequest => ({
  text: formatRawRequest(host, ['GET', `/pay/${code}`], browser),
  status: 200,
});

function pay({ host }: LoadTarget, code = '{pay}', token = '{token}'): ScenarioRequest {
  const form = new URLSearchParams({
    cc_name: 'Ada Lovelace',
    cc_number: '4242 4242 4242 4242',
    cc_exp: '12/34',
    cc_csc: testCsc,
  });
  const headers = { ...browser, 'content-type': 'application/x-www-form-urlencoded' };
  const body = `form_token=${token}&${form.toString()}`;
  const text = formatRawRequest(host, ['POST', `/pay/${code}`], headers, body);
  return { text, status: 303, writes: 'paid' };
}

/** The requests of one payment: create a link, open it, pay it. */
export const journeyOf = (target: LoadTarget): readonly ScenarioRequest[] => [
  create(target),
  view(target, '{made}'),
  pay(target, '{opened}', '{openedtoken}'),
];

const login = ({ host }: LoadTarget): ScenarioRequest => ({
  text: formatRawRequest(
    host,
    ['POST', '/v1/auth/login'],
    json,
    JSON.stringify({ email: ownerEmail, password }),
  ),
  status: 200,
  writes: 'sessions',
});

const get =
  (path: string) =>
  ({ host, credentials }: LoadTarget): ScenarioRequest => ({
    text: formatRawRequest(host, ['GET', path], credentialHeaders(credentials)),
    status: 200,
  });

type ScenarioRow = {
  name: string;
  what: string;
  connections?: number;
  requests: ((target: LoadTarget) => ScenarioRequest)[];
  cycle?: readonly number[];
  isGrowing?: true;
};

/** 85 % page views, 10 % create, 5 % pay. */
const mixedDay = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2];

const rows: readonly ScenarioRow[] = [
  { name: 'create-16', what: 'create, 16 connections', connections: 16, requests: [create] },
  { name: 'create-64', what: 'create, 64 connections', requests: [create], isGrowing: true },
  { name: 'create-256', what: 'create, 256 connections', connections: 256, requests: [create] },
  {
    name: 'duplicates',
    what: 'create, each order twice',
    requests: [create, (target) => create(target, '{again}')],
    cycle: [0, 1],
  },
  { name: 'page', what: 'page view', requests: [view], isGrowing: true },
  { name: 'status', what: 'status of one payment', requests: [get('/v1/payments/{view}')] },
  { name: 'list', what: 'first page of the list', requests: [get('/v1/payments')], isGrowing: true },
  {
    name: 'search',
    what: 'search: a name, an order, an address',
    requests: [
      get('/v1/payments?text=hopper'),
      get('/v1/payments?customerOrderId=web-1*'),
      get('/v1/payments?email=anna0000008@example.com'),
    ],
    cycle: [0, 1, 2],
    isGrowing: true,
  },
  { name: 'pay', what: 'pay: form post to redirect', requests: [pay] },
  {
    name: 'mixed',
    what: 'mixed day: 85 % view, 10 % create, 5 % pay',
    requests: [view, create, pay],
    cycle: mixedDay,
  },
  // Slow on purpose: more connections would only wait for each other. It uses memory, so it runs last.
  { name: 'login', what: 'login', connections: 8, requests: [login] },
];

export const scenarioNames: readonly string[] = rows.map(({ name }) => name);

export function scenariosFor(target: LoadTarget): BenchScenario[] {
  return rows.map(({ name, what, connections = 64, requests, cycle = [0], isGrowing = false }) => ({
    name,
    what,
    connections,
    requests: requests.map((make) => make(target)),
    cycle,
    isGrowing,
  }));
}
