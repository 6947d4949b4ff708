// Versions of the API: every released shape stays, a pinned version keeps its shape after a later one, and what is
// deprecated says so. A second version is planted, because there is only one yet.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { Type } from 'typebox';
import {
  breaksBetween,
  type Description,
  readShapes,
  type Shapes,
  withAdditions,
} from '../scripts/api-shapes.ts';
import { apiVersion } from '../sdk/src/call.ts';
import { systemClock } from '../src/base/clock.ts';
import { type ApiVersion, apiVersions, newestVersion, presentAs } from '../src/http/api-versions.ts';
import { listSchema } from '../src/http/page-query.ts';
import { formerName } from '../src/http/schema-parts.ts';
import { buildServer } from '../src/http/server.ts';
import { useVersions } from '../src/http/use-versions.ts';
import { createLogger } from '../src/telemetry.ts';
import { call, createLink, credentialHeaders, logIn, orderOf, processPayment } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { getDelivery, listDeliveries, loopbackSettings } from './harness/webhook-endpoints.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const description = () => JSON.parse(read('openapi.json')) as Description;
const shapesOf = (date: string) => JSON.parse(read(`test/api-shapes/${date}.json`)) as Shapes;

describe('the table of versions', () => {
  test('has dates in order, and the shapes of each are kept', () => {
    const dates = apiVersions.map(({ date }) => date);
    assert.deepEqual(dates, [...new Set(dates)].sort());
    for (const date of dates) assert.match(date, /^\d{4}-\d{2}-\d{2}$/);
    const files = readdirSync(new URL('api-shapes', import.meta.url)).sort();
    assert.deepEqual(
      files,
      dates.map((date) => `${date}.json`),
    );
  });

  test('is in the docs, with every change', () => {
    const text = read('docs/versions.md');
    for (const { date, changes } of apiVersions) {
      assert.ok(text.includes(`### ${date}\n`), date);
      for (const change of changes) assert.ok(text.includes(`- ${change.description}.`), change.description);
    }
  });

  test('ends with the version that the client pins', () => {
    assert.equal(apiVersion, newestVersion);
  });
});

type Sample = Record<string, unknown> | string | number | boolean | null | Sample[];
type Form = {
  $ref?: string;
  type?: string;
  enum?: Sample[];
  items?: Form;
  anyOf?: Form[];
  properties?: Record<string, Form>;
};

/** A value of a schema with every field. */
function sampleOf(form: Form, schemas: Record<string, Form>): unknown {
  if (form.$ref) return sampleOf(schemas[form.$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
  if (form.enum) return form.enum[0];
  if (form.anyOf) return sampleOf(form.anyOf[0] ?? {}, schemas);
  if (form.items) return [sampleOf(form.items, schemas)];
  if (form.properties)
    return Object.fromEntries(
      Object.entries(form.properties).map(([name, member]) => [name, sampleOf(member, schemas)]),
    );
  return { string: 'text', integer: 1, number: 1.5, boolean: true, object: {} }[form.type ?? 'object'];
}

/** A schema of the description with its references replaced and the names as titles, as routes have them. */
function titled(form: Form, schemas: Record<string, Form>): Form & { title?: string } {
  if (form.$ref) {
    const name = form.$ref.split('/').at(-1) ?? '';
    return { ...titled(schemas[name] ?? {}, schemas), title: name };
  }
  return {
    ...form,
    ...(form.items ? { items: titled(form.items, schemas) } : {}),
    ...(form.anyOf ? { anyOf: form.anyOf.map((one) => titled(one, schemas)) } : {}),
    ...(form.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(form.properties).map(([name, member]) => [name, titled(member, schemas)]),
          ),
        }
      : {}),
  };
}

/** The fields that a sample in a version lacks, of those that its shapes require. */
function lackingIn(shapes: Shapes, versions: readonly ApiVersion[], version: string): string[] {
  const { schemas } = description().components as { schemas: Record<string, Form> };
  return Object.entries(shapes.schemas).flatMap(([name, fields]) => {
    const schema = titled({ $ref: name }, schemas);
    const sample = sampleOf({ $ref: name }, schemas);
    const shown = presentAs(version, schema as never, sample, versions) as Record<string, unknown>;
    const required = Object.keys(fields).filter((field) => !field.endsWith('?'));
    return required.filter((field) => !(field in shown)).map((field) => `${name}.${field}`);
  });
}

describe('the shapes of released versions', () => {
  test('the newest version has lost or changed nothing since its release', () => {
    assert.deepEqual(breaksBetween(shapesOf(newestVersion), readShapes(description())), []);
  });

  test('every version shows each field of its shape', () => {
    for (const { date } of apiVersions)
      assert.deepEqual(lackingIn(shapesOf(date), apiVersions, date), [], date);
  });

  test('a lost field, a changed type, an optional field and another schema of a response are found', () => {
    const before = readShapes(description());
    const now = structuredClone(before);
    const { Refund = {}, Payment = {} } = now.schemas;
    delete Refund.refundId;
    Payment.amount = 'string';
    Payment['email?'] = Payment.email ?? '';
    delete Payment.email;
    now.responses.getPayment = 'Refund';
    assert.deepEqual(breaksBetween(before, now), [
      'Payment.amount was number and is string',
      'Payment.email was string and is missing',
      'Refund.refundId was string and is missing',
      'getPayment was Payment and is Refund',
    ]);
    // Rewriting the file hides none of them.
    assert.deepEqual(breaksBetween(withAdditions(before, now), now), breaksBetween(before, now));
  });

  test('a new field and a new value of an enum are additions, and null is none', () => {
    const before = readShapes(description());
    const now = structuredClone(before);
    const { Payment = {} } = now.schemas;
    Payment.colour = 'string';
    Payment.status = `${Payment.status}|"disputed"`;
    assert.deepEqual(breaksBetween(before, now), []);
    assert.equal(withAdditions(before, now).schemas.Payment?.colour, 'string');
    Payment.amount = 'number|null';
    assert.equal(breaksBetween(before, now).length, 1);
  });
});

/** A later version renames `label` of a thing, and its owner becomes an object. */
const planted: readonly ApiVersion[] = [
  { date: '2026-12-01', changes: [{ description: 'The first' }], sunsetAt: new Date('2029-01-31T12:00:00Z') },
  {
    date: '2027-03-01',
    changes: [
      {
        description: 'A thing has a title instead of a label',
        older: {
          Thing: ({ title, ...thing }) => (title === undefined ? thing : { ...thing, label: title }),
        },
      },
    ],
  },
  {
    date: '2027-06-01',
    changes: [
      {
        description: 'The owner of a thing is an object',
        older: {
          Thing: (thing) => ({
            ...thing,
            owner: (thing.owner as { name?: string } | null)?.name ?? thing.owner,
          }),
        },
      },
    ],
  },
];

const Thing = Type.Object(
  {
    title: Type.String(),
    owner: Type.Union([Type.Object({ name: Type.String() }, { title: 'Owner' }), Type.Null()]),
    secret: Type.Optional(Type.String()),
  },
  { title: 'Thing' },
);
const ThingList = listSchema(Thing, { description: 'Things' });
const first = { title: 'One', owner: { name: 'Ada' } };
const second = { title: 'Two', owner: null };

describe('a second version', () => {
  let app: Awaited<ReturnType<typeof buildServer>>;
  before(async () => {
    const log = createLogger({ level: 'silent' });
    app = await buildServer({
      ...{ baseUrl: 'http://localhost', log, clock: systemClock, trustedProxies: [] },
      ...{ connectionsPerClient: 0, databaseWait: null, isStopping: () => false },
    });
    useVersions(app, { baseUrl: 'http://localhost', versions: planted });
    app.get('/v1/things', { schema: { response: { 200: ThingList } } }, async () => ({
      // The serialiser of the newest schema drops what it does not name.
      data: [{ ...first, internal: 'not shown' }, second],
      nextCursor: null,
    }));
    app.get('/v1/things/none', { schema: { response: { 200: Thing } } }, async () => {
      throw new Error('planted');
    });
    const Old = Type.Object({ old: formerName(Type.String(), 'fresh'), fresh: Type.String() });
    app.get('/v1/old', { schema: { response: { 200: Old } } }, async () => ({ old: 'a', fresh: 'a' }));
    app.get('/page', async () => ({ at: 'page' }));
    await app.ready();
  });
  after(async () => await app.close());

  const get = async (url: string, version?: string) => {
    const headers = version === undefined ? {} : { 'paylink-version': version };
    const answer = await app.inject({ url, headers });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: answer.json<Record<string, unknown>>(),
    };
  };

  test('a call without a version gets the newest', async () => {
    const { headers, body } = await get('/v1/things');
    assert.equal(headers['paylink-version'], '2027-06-01');
    assert.deepEqual(body.data, [first, second]);
    assert.equal(headers.deprecation, undefined);
    assert.equal(headers.sunset, undefined);
  });

  test('a pinned version keeps its shape, in lists too, through every later change', async () => {
    const middle = await get('/v1/things', '2027-03-01');
    assert.equal(middle.headers['paylink-version'], '2027-03-01');
    assert.deepEqual(middle.body.data, [
      { title: 'One', owner: 'Ada' },
      { title: 'Two', owner: null },
    ]);
    const oldest = await get('/v1/things', '2026-12-01');
    assert.deepEqual(oldest.body, {
      data: [
        { owner: 'Ada', label: 'One' },
        { owner: null, label: 'Two' },
      ],
      nextCursor: null,
    });
  });

  test('a replaced version is deprecated since the next one, and its end is announced', async () => {
    const { headers } = await get('/v1/things', '2026-12-01');
    assert.equal(headers.deprecation, `@${Date.parse('2027-03-01T00:00:00Z') / 1000}`);
    assert.equal(headers.sunset, 'Wed, 31 Jan 2029 12:00:00 GMT');
    assert.equal(
      headers.link,
      '<http://localhost/openapi.json>; rel="deprecation sunset"; type="application/json"',
    );
    const middle = await get('/v1/things', '2027-03-01');
    assert.equal(middle.headers.deprecation, `@${Date.parse('2027-06-01T00:00:00Z') / 1000}`);
    assert.equal(middle.headers.sunset, undefined);
  });

  test('a deprecated field is reported by the version that has it, with the earliest date', async () => {
    const names = `@${Date.parse('2026-12-01T00:00:00Z') / 1000}`;
    assert.equal((await get('/v1/old')).headers.deprecation, names);
    assert.equal((await get('/v1/old', '2027-03-01')).headers.deprecation, names);
  });

  test('an error has the version and no deprecation, and other addresses have no version', async () => {
    const failed = await get('/v1/things/none', '2026-12-01');
    assert.equal(failed.status, 500);
    assert.equal(failed.headers['paylink-version'], '2026-12-01');
    assert.equal(failed.headers.deprecation, undefined);
    const page = await get('/page', 'nonsense');
    assert.equal(page.status, 200);
    assert.equal(page.headers['paylink-version'], undefined);
  });

  for (const version of ['2026-12-02', '2026-12-1', 'v1', '', ' ', '2026-12-01, 2027-03-01'])
    test(`the version ${JSON.stringify(version)} is refused, and the error names the known ones`, async () => {
      const { status, body } = await get('/v1/things', version);
      assert.equal(status, 400);
      assert.equal(body.code, 'unknown_version');
      for (const { date } of planted) assert.match(String(body.detail), new RegExp(date));
      assert.equal((body.errors as { field: string }[])[0]?.field, 'Paylink-Version');
    });

  test('an object that is in the older shape already stays as it is', () => {
    const once = presentAs('2026-12-01', Thing, first, planted);
    assert.deepEqual(presentAs('2026-12-01', Thing, once, planted), once);
    assert.deepEqual(first, { title: 'One', owner: { name: 'Ada' } });
  });

  test('a shape that a later version can no longer show is found', () => {
    const without: readonly ApiVersion[] = [
      ...apiVersions,
      {
        date: '2099-01-01',
        changes: [{ description: 'Loses the amount', older: { Refund: ({ amount: _, ...rest }) => rest } }],
      },
    ];
    const found = lackingIn(shapesOf('2026-12-01'), without, '2026-12-01');
    assert.deepEqual(found, ['Refund.amount']);
  });
});

describe('versions of the service', () => {
  let paylink: Paylink;
  before(async () => {
    paylink = await startPaylink('server', { settings: loopbackSettings });
  });
  after(async () => await paylink.stop());

  test('every response under /v1 repeats the version, with or without credentials', async () => {
    const credentials = credentialHeaders(await logIn(paylink));
    for (const headers of [{}, credentials, { ...credentials, 'paylink-version': newestVersion }]) {
      const response = await fetch(`${paylink.baseUrl}/v1/payments`, { headers });
      assert.equal(response.headers.get('paylink-version'), newestVersion);
    }
    const refused = await fetch(`${paylink.baseUrl}/v1/payments`, {
      headers: { ...credentials, 'paylink-version': '1999-01-01' },
    });
    assert.equal(refused.status, 400);
    assert.equal((await fetch(`${paylink.baseUrl}/healthz`)).headers.get('paylink-version'), null);
  });

  test('the response of the interface is deprecated since responseCode is, and others since the names are', async () => {
    const credentials = await logIn(paylink);
    const { headers } = await processPayment(paylink, credentials, orderOf());
    assert.equal(headers.get('deprecation'), '@1767225600');
    const events = await fetch(`${paylink.baseUrl}/v1/events`, { headers: credentialHeaders(credentials) });
    assert.equal(events.headers.get('deprecation'), `@${Date.parse('2026-12-01T00:00:00Z') / 1000}`);
    const keys = await fetch(`${paylink.baseUrl}/v1/api-keys`, { headers: credentialHeaders(credentials) });
    assert.equal(keys.headers.get('deprecation'), null);
  });

  test('an endpoint has the version of the request that creates it, unless it names another', async () => {
    const credentials = await logIn(paylink);
    const path = '/v1/webhook-endpoints';
    const hook = { url: 'http://127.0.0.1:1029/', events: ['*'] };
    const made = await call(paylink, credentials, ['POST', path], hook);
    assert.equal(made.body.apiVersion, newestVersion);
    const free = await call(paylink, credentials, ['POST', path], { ...hook, apiVersion: null });
    assert.equal(free.body.apiVersion, null);
    const at = `${path}/${String(free.body.endpointId)}`;
    const pinned = await call(paylink, credentials, ['PATCH', at], { apiVersion: newestVersion });
    assert.equal(pinned.body.apiVersion, newestVersion);
    // Another change leaves it.
    const renamed = await call(paylink, credentials, ['PATCH', at], { description: 'x' });
    assert.equal(renamed.body.apiVersion, newestVersion);
    const refused = await call(paylink, credentials, ['PATCH', at], { apiVersion: '1999-01-01' });
    assert.equal(refused.status, 422);
    assert.match(JSON.stringify(refused.body.errors), new RegExp(newestVersion));
    await createLink(paylink);
    const [delivery] = await listDeliveries(paylink, credentials, { id: String(made.body.endpointId) });
    assert.ok(delivery);
    const { request } = await getDelivery(paylink, credentials, delivery);
    const { body } = request as { body: string };
    assert.equal((JSON.parse(body) as { type: string }).type, 'payment.created');
  });
});
