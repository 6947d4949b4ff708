// Schemas as lists of fields. A named schema is shown once, and linked from each place that refers to it.

import { type Html, html } from '../http/html.ts';
import type { Parameter, Schema } from './description.ts';

/** A text of the description, with its `code` in backticks. */
export function inlineText(text: string): Html {
  const parts = text.split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** The anchor of a named schema. */
export const schemaAnchor = (name: string) => `schema-${name}`;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const members = (schema: Schema) => Object.entries((schema.properties ?? {}) as Record<string, Schema>);

function linkSchema(reference: string): Html {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return html`<a href="#${schemaAnchor(name)}">${name}</a>`;
}

function joinKinds(kinds: readonly Html[]): Html {
  return html`${kinds.map((kind, index) => (index === 0 ? kind : html` or ${kind}`))}`;
}

/** What values a schema takes, in a few words. */
export function renderKind(schema: Schema): Html {
  if (typeof schema.$ref === 'string') return linkSchema(schema.$ref);
  const alternatives = [...list(schema.anyOf), ...list(schema.oneOf), ...list(schema.allOf)] as Schema[];
  if (alternatives.length > 0) return joinKinds(alternatives.map(renderKind));
  if (schema.enum !== undefined)
    return html`one of ${list(schema.enum).map(
      (value, index) => html`${index > 0 && ', '}<code>${String(value)}</code>`,
    )}`;
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`;
  if (schema.type === 'array') return html`list of ${renderKind((schema.items ?? {}) as Schema)}`;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'any'];
  return html`${types.join(' or ')}`;
}

const bounds: readonly (readonly [keyword: string, words: string])[] = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'min. length'],
  ['maxLength', 'max. length'],
  ['minItems', 'min. items'],
  ['maxItems', 'max. items'],
  ['maxProperties', 'max. members'],
];

function renderBounds(schema: Schema): Html {
  const found = bounds.filter(([keyword]) => schema[keyword] !== undefined);
  return html`${found.map(([keyword, words]) => html`, ${words} ${String(schema[keyword])}`)}`;
}

type Field = { name: string; schema: Schema; isRequired: boolean; description: string };

function renderField({ name, schema, isRequired, description }: Field): Html {
  const isDeprecated = schema.deprecated === true;
  return html`<li><code class="name">${name}</code> <span class="kind">${renderKind(schema)}${renderBounds(schema)}${
    isRequired && html`, <strong>required</strong>`
  }${isDeprecated && html`, deprecated`}</span>${
    description && html`<p>${inlineText(description)}</p>`
  }${renderFields(innerObject(schema))}</li>
`;
}

/** The object in a field or in its list that has no name of its own. */
function innerObject(schema: Schema): Schema {
  return schema.type === 'array' ? ((schema.items ?? {}) as Schema) : schema;
}

/** The fields of an object; nothing for another schema. */
export function renderFields(schema: Schema): Html | null {
  const fields = members(schema);
  if (fields.length === 0) return null;
  const required = list(schema.required);
  return html`<ul class="fields">
${fields.map(([name, field]) =>
  renderField({
    name,
    schema: field,
    isRequired: required.includes(name),
    description: String(field.description ?? ''),
  }),
)}</ul>
`;
}

/** Parameters, with what the script needs for trying them. */
export function renderParameters(parameters: readonly Parameter[]): Html {
  return html`<ul class="fields">
${parameters.map(
  ({ name, in: place, required, description, schema = {}, example }) =>
    html`<li data-in="${place}" data-name="${name}"${
      place === 'path' && html` data-example="${String(example ?? '')}"`
    }><code class="name">${name}</code> <span class="kind">${place}, ${renderKind(schema)}${renderBounds(schema)}${
      required === true && html`, <strong>required</strong>`
    }</span>${description && html`<p>${inlineText(description)}</p>`}</li>
`,
)}</ul>
`;
}

/** All named schemas. */
export function renderSchemas(schemas: ReadonlyMap<string, Schema>): Html {
  return html`${[...schemas].map(
    ([name, schema]) => html`<details class="schema"><summary><h3>${name}</h3></summary>
<div id="${schemaAnchor(name)}" class="inside">${
      typeof schema.description === 'string' && html`<p>${inlineText(schema.description)}</p>\n`
    }${renderFields(schema) ?? html`<p class="kind">${renderKind(schema)}${renderBounds(schema)}</p>\n`}</div>
</details>
`,
  )}`;
}
