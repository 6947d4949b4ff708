// One operation: what it takes, what it returns, its errors, and a program that calls it in each language.

import { type Html, html } from '../http/html.ts';
import type { Description, Media, Operation, Schema } from './description.ts';
import { exampleLanguages } from './example-languages.ts';
import { exampleRequest } from './example-request.ts';
import { inlineText, renderFields, renderKind, renderParameters } from './schema-view.ts';

const printJson = (value: unknown) => JSON.stringify(value, null, 2);

/** Who may call an operation, in a sentence. */
function renderAccess({ security, method }: Operation): Html | null {
  if (method === '') return null;
  if (security.length === 0) return html`<p class="access">Public: it needs no key.</p>\n`;
  const keyed = security.find((alternative) => 'serviceKey' in alternative);
  const scopes = keyed?.serviceKey ?? [];
  if (!keyed) return html`<p class="access">Needs the three headers of the login.</p>\n`;
  if (scopes.length === 0) return html`<p class="access">Needs a service key.</p>\n`;
  return html`<p class="access">Needs a service key with the scope ${scopes.map(
    (scope, index) => html`${index > 0 && ', '}<code>${scope}</code>`,
  )}.</p>\n`;
}

/** The schema itself, or the one that it names. */
function followName(schema: Schema, schemas: Description['schemas']): Schema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1) : '';
  return schemas.get(name) ?? schema;
}

function renderMedia({ type, schema }: Media): Html {
  const isJson = type === 'application/json';
  return html`<p class="kind"><code>${type}</code>${isJson && html`: ${renderKind(schema)}`}</p>\n`;
}

function renderBody({ body, method }: Operation, schemas: Description['schemas']): Html | null {
  if (body.length === 0) return null;
  const json = body.find(({ type }) => type === 'application/json');
  return html`<h4>Body</h4>
${body.map(renderMedia)}${json && renderFields(followName(json.schema, schemas))}${
  json?.example !== undefined &&
  html`<h5>Example</h5>\n<pre${method !== '' && html` data-body`}><code>${printJson(json.example)}</code></pre>\n`
}`;
}

function renderAnswer({ answer, method }: Operation): Html | null {
  if (answer === null || method === '') return null;
  const { description, media } = answer;
  const [first] = media;
  return html`<h4>Response</h4>
<p>${inlineText(description)}</p>
${media.map(renderMedia)}${
  first?.example !== undefined && html`<pre><code>${printJson(first.example)}</code></pre>\n`
}`;
}

function renderErrors({ errorCodes }: Operation): Html | null {
  if (errorCodes.length === 0) return null;
  return html`<details class="errors"><summary><h4>Errors</h4></summary>
<ul class="codes">${errorCodes.map((code) => html`<li><a href="/problems/${code}"><code>${code}</code></a></li>\n`)}</ul>
</details>
`;
}

function renderExamples(operation: Operation, baseUrl: string): Html | null {
  if (operation.method === '') return null;
  const request = exampleRequest(operation, baseUrl);
  return html`<h4>Call it</h4>
${exampleLanguages.map(
  ({ id, title, render }) => html`<section class="example" data-language="${id}"><h5>${title}</h5>
<pre><code>${render(request)}</code></pre></section>
`,
)}`;
}

/** For the script that tries an operation. */
function renderTrial({ method, path, body, security }: Operation): Html | null {
  if (method === '') return null;
  const text =
    body.find(({ type }) => type === 'application/json') ?? body.find(({ type }) => /xml/.test(type));
  return html` data-method="${method}" data-path="${path}"${text && html` data-type="${text.type}"`}${
    security.length > 0 && html` data-secured`
  }`;
}

export function renderOperation(
  operation: Operation,
  { baseUrl, schemas, isOpen }: { baseUrl: string; schemas: Description['schemas']; isOpen: boolean },
): Html {
  const { id, method, path, summary, description, parameters, isDeprecated } = operation;
  const kind = method === '' ? 'message' : method.toLowerCase();
  // Equal texts are shown once.
  const more = description.replace(/\.$/, '') === summary ? '' : description;
  return html`<details class="operation"${isOpen && html` open`}${renderTrial(operation)}>
<summary><h3><span class="method ${kind}">${method || 'message'}</span> <code>${path}</code></h3> <span class="summary">${summary}${
    isDeprecated && ' (deprecated)'
  }</span></summary>
<div id="${id}" class="inside">
${more && html`<p>${inlineText(more)}</p>\n`}${renderAccess(operation)}${
  parameters.length > 0 && html`<h4>Parameters</h4>\n${renderParameters(parameters)}`
}${renderBody(operation, schemas)}${renderExamples(operation, baseUrl)}${renderAnswer(operation)}${renderErrors(operation)}</div>
</details>
`;
}
