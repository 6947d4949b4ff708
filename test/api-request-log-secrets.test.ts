// No secret and no personal data of any route reaches the request log. Every route of the description is called: once as it
// succeeds, and once with a marked text in every place that takes one.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newestVersion } from '../src/http/api-versions.ts';
import { callRoute } from './harness/call-route.ts';
import { credentialHeaders, type Json } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { waitForCall } from './harness/request-log.ts';
import {
  credentialsFor,
  listRoutes,
  openCompany,
  type Route,
  type RouteCompany,
  validCall,
} from './harness/route-cases.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';

/** Has letters that the random parts of IDs lack, so that none contains it by chance. */
const markBegin = 'uilozq9k';
/** Of no form that the log shows: neither an ID nor an address. */
const mark = `${markBegin}@@ marked-7Xw`;

/** The fields whose texts a person needs to find a call. Everything else that is longer must not be in the log. */
const shown =
  /^([pP]aymentLinkCode|customerOrderId|id|\w+Ids?|x-company-id|webhook-id|actor|\w+By|CreatedOn|createdFrom|createdTo|\w+(At|On|Until|Since)|since|at|from|to|type|events|roles|rights|scopes|modes|currency|currencies|country|locale|status|state|kind|amount|processor|failureCode|disabledReason|responseCode|timeZone)$/;

/** Fields with fixed values. */
const fixed =
  /^(retryPolicy|direction|action|takes|format|about|health|verdict|engine|outcome|reason|account|debitAccount|creditAccount|attemptStatus|declineCode|code)$/;
/** A version is a date, with which a time in the log may begin. */
const isFixed = (name: string, text: string) =>
  name === 'apiVersion' ? text === newestVersion : fixed.test(name) && /^[a-z_]+$/.test(text);

/** All texts of a value, with the names of their fields. */
function textsOf(value: unknown, name = ''): { name: string; text: string }[] {
  if (typeof value === 'string') return [{ name, text: value }];
  if (Array.isArray(value)) return value.flatMap((entry) => textsOf(entry, name));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, member]) => textsOf(member, key));
}

/** A value with the mark in place of each text, and in a field that nobody knows. */
function marked(value: unknown): unknown {
  if (typeof value === 'string') return mark;
  if (Array.isArray(value)) return value.map(marked);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([name, member]) => [name, marked(member)]);
  return { ...Object.fromEntries(members), [`unknown ${mark}`]: mark, other: { [mark]: [mark] } };
}

/** The origin of an address is shown. */
const isOrigin = (text: string) => URL.canParse(text) && new URL(text).href === `${new URL(text).origin}/`;

describe('secrets and personal data in the request log', () => {
  let paylink: Paylink;
  let company: RouteCompany;
  let routes: Route[];
  before(async () => {
    paylink = await startPaylink('server', {
      settings: { ...loopbackSettings, RATE_LIMIT_API_PER_SECOND: '0' },
    });
    company = await openCompany(paylink, paylink.merchant);
    routes = (await listRoutes(paylink.baseUrl)).filter(({ operation }) => operation.security?.length);
  });
  after(async () => await paylink.stop());

  const dump = async (): Promise<string> => {
    await paylink.app.requestLog.flush();
    const rows = await paylink.app.deps.db.asOwner.query(
      'select to_jsonb(r)::text as row from api_requests r',
    );
    return rows.map(({ row }) => String(row)).join('\n');
  };

  test('no secret and no text of a person is in the log after a successful call of every route', async () => {
    const said: { route: string; name: string; text: string }[] = [];
    let last = '';
    for (const route of routes) {
      const given = await validCall(route, company);
      const credentials = await credentialsFor(route, company);
      const headers = credentialHeaders(credentials);
      const answer = await callRoute(paylink.baseUrl, route, { ...given, headers });
      assert.ok(answer.status < 300, `${route.name}: ${answer.text}`);
      const texts = [...textsOf(given.body), ...textsOf(answer.json), ...textsOf(headers)];
      // The processors are the same for everybody, and the log shows what is in it.
      if (!/^\/v1\/(processors$|requests)/.test(route.path))
        said.push(...texts.map((text) => ({ route: route.name, ...text })));
      if (!route.path.startsWith('/v1/requests')) last = String(answer.headers.get('x-request-id'));
    }
    await waitForCall(paylink, last);
    const log = await dump();
    const names = new Set(said.map(({ name }) => name));
    for (const secret of ['key', 'secret', 'currentPassword', 'otp', 'recoveryCodes', 'uri', 'html', 'email'])
      assert.ok(names.has(secret), `a route says ${secret}`);
    const leaks = said.filter(({ name, text }) => {
      if (shown.test(name) || isFixed(name, text) || text.length < 6 || isOrigin(text)) return false;
      // The end of a key or a token is its secret part. That of a link is the code of the payment.
      return (
        log.includes(JSON.stringify(text).slice(1, -1)) ||
        (text.length > 24 && name !== 'PaymentLink' && log.includes(text.slice(-16)))
      );
    });
    assert.deepEqual(leaks, []);
    const paths = routes.filter(({ path }) => !path.startsWith('/v1/requests')).length;
    assert.ok(log.split('\n').length >= paths, 'every route is recorded');
  });

  test('no marked text of a body, a query or a path is in the log, whether the call is refused or not', async () => {
    let last = '';
    for (const route of routes) {
      const { operation } = route;
      const example = operation.requestBody?.content['application/json']?.example ?? {};
      const body = route.method === 'GET' ? null : (marked(example) as Json);
      const queries = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      const query = queries.map(({ name }) => `${name}=${encodeURIComponent(mark)}`).join('&');
      const params = Object.fromEntries(inPath.map(({ name }) => [name, mark]));
      const headers = { ...credentialHeaders(company.credentials), 'idempotency-key': 'marked' };
      const path = query === '' ? route.path : `${route.path}?${query}`;
      const answer = await callRoute(paylink.baseUrl, { ...route, path }, { params, body, headers });
      assert.ok(answer.status < 500, `${route.name}: ${answer.text}`);
      if (!route.path.startsWith('/v1/requests')) last = String(answer.headers.get('x-request-id'));
      if (answer.status === 204 || answer.status === 200)
        company = await openCompany(paylink, paylink.merchant);
    }
    await waitForCall(paylink, last);
    const log = await dump();
    for (const part of [mark, markBegin, 'marked-7Xw', encodeURIComponent(mark)])
      assert.ok(!log.includes(part), `${part}: ${log.split('\n').find((line) => line.includes(part))}`);
    assert.ok(log.includes('[unknown fields]'));
  });
});
