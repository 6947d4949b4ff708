// Names of the API: a time ends in At, a status is called status, an ID ends in Id. What has another name is in the
// interface, or in a standard, or is deprecated in favour of a name that follows the rule.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

type Schema = {
  $ref?: string;
  type?: string;
  description?: string;
  deprecated?: boolean;
  properties?: Record<string, Schema>;
} & Record<string, unknown>;
type Parameter = { name: string; in: string; description?: string; deprecated?: boolean; schema?: Schema };
type Operation = { operationId: string; parameters?: ({ $ref?: string } & Parameter)[] };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
};

const readDocument = (): Document =>
  JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));

/** Fields of the documented interface, by the schemas that have them. Their names never change. */
const interfaceFields = new Set(['Payment.CreatedOn', 'Payment.PaymentLink', 'Payment.PaymentLinkCode']);

/** Names of standards. */
const standardFields = [
  // Standard Webhooks.
  /Message\.(id|timestamp)$/,
  // Web Authentication.
  /^Passkey(Authentication|Registration)\.id$/,
];

/** A time of the object itself may be called `at`. A range has a beginning and an end. */
const timeNames = /(^a|A)t$|(From|To|After|Before)$/;
const idNames = /Id$/;
const oneWay = /^[a-z][A-Za-z0-9]*$/;

type Named = { place: string; name: string; description: string; isDeprecated: boolean };

function namedIn(schema: unknown, place: string): Named[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, ...rest } = schema as Schema;
  const own = Object.entries(properties).map(([name, { description = '', deprecated = false }]) => ({
    place: `${place}.${name}`,
    name,
    description,
    isDeprecated: deprecated,
  }));
  const inner = Object.entries(properties).flatMap(([name, value]) => namedIn(value, `${place}.${name}`));
  const parts = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'].flatMap((keyword) =>
    [rest[keyword]].flat().flatMap((part) => namedIn(part, place)),
  );
  return [...own, ...inner, ...parts];
}

function listNames({ paths, components }: Document): Named[] {
  const ofSchemas = Object.entries(components.schemas).flatMap(([name, schema]) => namedIn(schema, name));
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const ofParameters = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters.flatMap((given) => {
      const parameter = given.$ref ? components.parameters[given.$ref.split('/').at(-1) ?? ''] : given;
      if (!parameter || parameter.in === 'header') return [];
      const { name, description = '', schema } = parameter;
      const isDeprecated = parameter.deprecated === true || schema?.deprecated === true;
      return [{ place: `${operationId}?${name}`, name, description, isDeprecated }];
    }),
  );
  return [...ofSchemas, ...ofParameters];
}

const isExcepted = ({ place, isDeprecated }: Named) =>
  isDeprecated || interfaceFields.has(place) || standardFields.some((pattern) => pattern.test(place));

/** What is wrong with a name; null if nothing is. */
function faultOf({ name, description }: Named): string | null {
  const isUrl = name === 'success_url' || name === 'failure_url';
  if (!oneWay.test(name) && !isUrl) return 'is not in camel case';
  if (/RFC 3339/.test(description) && !timeNames.test(name)) return 'is a time and does not end in At';
  if (/^state$/i.test(name)) return 'is a status';
  if (/^(ID|Identification) of the/.test(description) && !idNames.test(name))
    return 'is an ID and does not end in Id';
  if (/IDs$/.test(name)) return 'ends in IDs';
  return null;
}

const faultsOf = (document: Document) =>
  listNames(document).flatMap((named) => {
    const fault = isExcepted(named) ? null : faultOf(named);
    return fault === null ? [] : [`${named.place} ${fault}`];
  });

test('times end in At, a status is called status, and IDs end in Id', () => {
  const document = readDocument();
  assert.ok(listNames(document).length > 700);
  assert.deepEqual(faultsOf(document), []);
});

test('a deprecated name says which name to use, and that one exists beside it', () => {
  const all = listNames(readDocument());
  const places = new Set(all.map(({ place }) => place));
  const deprecated = all.filter(({ isDeprecated, name }) => isDeprecated && name !== 'responseCode');
  assert.ok(deprecated.length >= 30);
  for (const { place, name, description } of deprecated) {
    const wanted = /^Deprecated\. Use (\w+)$/.exec(description)?.[1];
    assert.ok(wanted, `${place}: ${description}`);
    assert.ok(places.has(place.slice(0, -name.length) + wanted), `${place} has no ${wanted} beside it`);
  }
});

test('the fields of the interface are not deprecated, except responseCode', () => {
  const { schemas } = readDocument().components;
  const fields = {
    Payment: [
      'country',
      'CreatedOn',
      'currency',
      'customerOrderId',
      'PaymentLink',
      'PaymentLinkCode',
      'responseMessage',
    ],
    LogInResult: ['email', 'accountId', 'roles', 'token', 'redirectPath'],
  };
  for (const [title, names] of Object.entries(fields))
    for (const name of names) {
      const field = schemas[title]?.properties?.[name];
      assert.ok(field, `${title}.${name}`);
      assert.notEqual(field.deprecated, true, `${title}.${name}`);
    }
  assert.equal(schemas.Payment?.properties?.responseCode?.deprecated, true);
});

test('a time, a status and an ID with other names are found', () => {
  const document = readDocument();
  document.components.schemas.Planted = {
    properties: {
      since: { description: 'When it began; RFC 3339, UTC' },
      state: {},
      reference: { description: 'ID of the thing' },
      CreatedOn: { description: 'When it was created; RFC 3339, UTC' },
      retiredOn: { description: 'Deprecated. Use retiredAt', deprecated: true },
    },
  };
  assert.deepEqual(faultsOf(document), [
    'Planted.since is a time and does not end in At',
    'Planted.state is a status',
    'Planted.reference is an ID and does not end in Id',
    'Planted.CreatedOn is not in camel case',
  ]);
});
