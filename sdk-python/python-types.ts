// Writes the models of the Python client from the schemas of openapi.json. A form of schema that it does not know
// stops it: it must never write a type that it guessed.

import { type ApiDocument, type Schema, webhookEventsOf } from '../sdk/generate-types.ts';

const keywords = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield None True False'.split(
    ' ',
  ),
);
/** Attributes of pydantic's models. */
const taken = new Set(['copy', 'json', 'dict', 'schema', 'construct', 'validate', 'fields']);

/** The Python name of a field or an operation: `PaymentLinkCode` becomes `payment_link_code`. */
export function snake(name: string): string {
  const parts = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
  return keywords.has(parts) || taken.has(parts) ? `${parts}_` : parts;
}

/** The shape of a value as Python's annotation. `inline` names the model of an object without a name. */
export type Inline = (schema: Schema) => string;

/** The annotation of what the service answers. */
export function annotationOf(schema: Schema, inline: Inline): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.enum) return `Open[${schema.enum.map(literal).join(', ')}]`;
  const any = schema.anyOf ?? schema.oneOf;
  if (any) return [...new Set(any.map((one) => annotationOf(one, inline)))].join(' | ');
  switch (schema.type) {
    case 'string':
      return 'str';
    case 'number':
      return 'float';
    case 'integer':
      return 'int';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'array':
      return `list[${annotationOf(schema.items ?? {}, inline)}]`;
    case 'object':
      return schema.properties ? inline(schema) : dictOf(schema, inline);
    case undefined:
      if (Object.keys(schema).every((word) => word === 'description' || word === 'examples')) return 'Any';
  }
  throw new Error(`a schema that has no type in Python here: ${JSON.stringify(schema)}`);
}

function dictOf({ additionalProperties, patternProperties }: Schema, inline: Inline): string {
  const [values] = [additionalProperties, ...Object.values(patternProperties ?? {})].filter(
    (other) => typeof other === 'object',
  );
  return `dict[str, ${values ? annotationOf(values, inline) : 'Any'}]`;
}

export function nameOf(reference: string): string {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1];
  if (name === undefined) throw new Error(`${reference} is not one of the shared schemas`);
  return name;
}

export const literal = (value: unknown): string => JSON.stringify(value);
export const docstring = (text: string, indent: string): string =>
  `${indent}"""${text.replaceAll('\\', '\\\\').replaceAll('"', "'")}"""`;
const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

export const generatedMark =
  '# Generated from openapi.json by generate-python.ts: change the routes of the service, never this file.';

/** The models of all schemas, and the union of webhook events, as a Python module. */
export function writeModels(document: ApiDocument): string {
  const shared = Object.entries(document.components?.schemas ?? {});
  const events = webhookEventsOf(document).map(({ type, schema }) => ({
    type,
    model: nameOf(schema.$ref ?? ''),
  }));
  const types = new Map(events.map(({ type, model }) => [model, type]));
  return [
    generatedMark,
    '',
    '"""The models of the API. Attributes are in snake case; the service\'s own names are their aliases."""',
    '',
    'from __future__ import annotations',
    '',
    'from typing import Any, Literal, TypeAlias, Union',
    '',
    'from pydantic import AliasChoices, Field',
    '',
    'from ._base import Model, Open',
    ...shared.filter(([, schema]) => !isModel(schema)).flatMap(([name, schema]) => writeAlias(name, schema)),
    ...shared
      .filter(([, schema]) => isModel(schema))
      .flatMap(([name, schema]) => writeModel(name, schema, types.get(name))),
    '',
    '',
    'WebhookEvent: TypeAlias = Union[',
    ...events.map(({ model }) => `    ${model},`),
    ']',
    docstring(
      'The content of a webhook: its `type` decides what `data` has. A newer service may have more types.',
      '',
    ),
    '',
    'WEBHOOK_EVENTS: dict[str, type[WebhookEvent]] = {',
    ...events.map(({ type, model }) => `    ${literal(type)}: ${model},`),
    '}',
    docstring('The model of each event type.', ''),
    '',
  ].join('\n');
}

const isModel = (schema: Schema) => schema.type === 'object' && schema.properties !== undefined;

function writeAlias(name: string, schema: Schema): string[] {
  const annotation = annotationOf(schema, () => {
    throw new Error(`${name} has an object without a name`);
  });
  const about = schema.description ? [docstring(schema.description, '')] : [];
  return ['', `${name}: TypeAlias = ${annotation}`, ...about];
}

/** The names of the service that become one name in Python, by that name; the one in camel case first. */
function groupWires(properties: Readonly<Record<string, Schema>>): Map<string, string[]> {
  const groups = Map.groupBy(Object.keys(properties), snake);
  const isCamel = (wire: string) => /^[a-z]/.test(wire);
  return new Map(
    [...groups].map(([name, wires]) => [name, wires.sort((a, b) => Number(isCamel(b)) - Number(isCamel(a)))]),
  );
}

/** A model, after those of the objects without a name in it. */
function writeModel(name: string, schema: Schema, eventType?: string): string[] {
  const before: string[] = [];
  const properties = schema.properties ?? {};
  const fields = [...groupWires(properties).values()].flatMap((wires) => {
    const [wire = ''] = wires;
    const property = properties[wire] ?? {};
    const inline: Inline = (object) => {
      const own = name + capitalised(wire);
      before.push(...writeModel(own, object));
      return own;
    };
    const isNeeded = schema.required?.includes(wire) ?? false;
    const isType = eventType !== undefined && wire === 'type';
    const annotation = isType ? `Literal[${literal(eventType)}]` : annotationOf(property, inline);
    return writeField(wires, { annotation, isNeeded, description: property.description });
  });
  const about = schema.description ? [docstring(schema.description, '    '), ''] : [];
  const body = fields.length === 0 && about.length === 0 ? ['    pass'] : fields;
  return [...before, '', '', `class ${name}(Model):`, ...about, ...body];
}

type Field = { annotation: string; isNeeded: boolean; description: string | undefined };

function writeField(wires: readonly string[], { annotation, isNeeded, description }: Field): string[] {
  const [wire = ''] = wires;
  const name = snake(wire);
  const type = isNeeded || annotation.split(' | ').includes('None') ? annotation : `${annotation} | None`;
  const read = wires.length === 1 ? literal(wire) : `AliasChoices(${wires.map(literal).join(', ')})`;
  const alias = `validation_alias=${read}, serialization_alias=${literal(wire)}`;
  const parts = [...(isNeeded ? [] : ['default=None']), ...(name === wire ? [] : [alias])];
  const value = parts.length === 0 ? '' : ` = Field(${parts.join(', ')})`;
  return [`    ${name}: ${type}${value}`, ...(description ? [docstring(description, '    ')] : [])];
}
