// Reads and checks a fixtures file, so that a fault in its last step stops it before the first request.

import { usageError } from './command-error.ts';
import { parseExactJson } from './exact-json.ts';
import { findReferences, textsIn } from './fixture-references.ts';
import { stripControlCharacters } from './terminal.ts';

export type FixtureStep = {
  /** From 1. */
  number: number;
  /** What later steps call its response. */
  name: string | null;
  method: string;
  path: string;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
};

const maxSteps = 1000;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const stepFields = ['name', 'method', 'path', 'query', 'body'];
/** `run.id` is the ID of the run. */
const reservedName = 'run';
const namePattern = /^[A-Za-z][\w-]{0,63}$/;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const show = (value: unknown) => stripControlCharacters(JSON.stringify(value).slice(0, 100));

function* faultsOfName(name: unknown, known: ReadonlySet<string>): Generator<string> {
  if (typeof name !== 'string' || !namePattern.test(name))
    yield `"name" must begin with a letter, and have letters, digits, - and _ only, not ${show(name)}.`;
  else if (name === reservedName) yield `"name" cannot be "run": \${run.id} is the ID of the run.`;
  else if (known.has(name)) yield `"name" is ${show(name)}, as in an earlier step.`;
}

function* faultsOfReferences(step: Fields, known: ReadonlySet<string>): Generator<string> {
  for (const text of textsIn([step.path, step.query, step.body])) {
    const { references, invalid } = findReferences(text);
    for (const one of invalid)
      yield `${show(one)} is not a reference such as \${payment.PaymentLinkCode}. Write $\${ for the text \${.`;
    for (const { whole, name, fields } of references) {
      if (invalid.includes(whole)) continue;
      if (name === reservedName && fields.join('.') !== 'id') yield `${show(whole)} must be \${run.id}.`;
      else if (name !== reservedName && !known.has(name))
        yield `${show(whole)}: no earlier step has the name "${name}".`;
    }
  }
}

function* faultsOfStep(step: unknown, known: ReadonlySet<string>): Generator<string> {
  if (!isObject(step)) return yield `It must be an object, not ${show(step)}.`;
  const { name, method, path, query, body } = step;
  for (const field of Object.keys(step))
    if (!stepFields.includes(field))
      yield `${show(field)} is unknown. The fields are ${stepFields.join(', ')}.`;
  if (name !== undefined) yield* faultsOfName(name, known);
  if (typeof method !== 'string' || !methods.includes(method))
    yield `"method" must be one of ${methods.join(', ')}${method === undefined ? '' : `, not ${show(method)}`}.`;
  else if (body !== undefined && !methodsWithBody.has(method)) yield `${method} takes no "body".`;
  if (typeof path !== 'string' || !/^\/[^\s#?\\]*$/.test(path))
    yield `"path" must be a path of the service, such as /v1/payments${path === undefined ? '' : `, not ${show(path)}`}.`;
  if (query !== undefined && !(isObject(query) && Object.values(query).every(isPlain)))
    yield '"query" must be an object of texts, numbers and booleans.';
  yield* faultsOfReferences(step, known);
}

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

function toStep(step: Fields, number: number): FixtureStep {
  const { name, method, path, query, body } = step;
  return {
    number,
    name: typeof name === 'string' ? name : null,
    method: String(method),
    path: String(path),
    query: isObject(query) ? query : {},
    body,
  };
}

/** The steps of a file. Throws a usage error that lists every fault with the number of its step. */
export function parseFixtures(text: string, file: string): FixtureStep[] {
  const where = stripControlCharacters(file);
  const parsed = parseExactJson(text, where);
  if (!isObject(parsed) || !Array.isArray(parsed.steps) || Object.keys(parsed).length > 1)
    throw usageError(`${where} must be an object with the one field "steps", a list of steps.`);
  const steps: readonly unknown[] = parsed.steps;
  if (steps.length === 0 || steps.length > maxSteps)
    throw usageError(`${where} must have from 1 to ${maxSteps} steps, not ${steps.length}.`);
  const known = new Set<string>();
  const faults = steps.flatMap((step, index) => {
    const found = [...faultsOfStep(step, known)].map((fault) => `Step ${index + 1}: ${fault}`);
    if (isObject(step) && typeof step.name === 'string') known.add(step.name);
    return found;
  });
  if (faults.length > 0)
    throw usageError([`${where} was not run:`, ...faults.slice(0, maxFaults)].join('\n'));
  return steps.filter(isObject).map((step, index) => toStep(step, index + 1));
}

const maxFaults = 20;
