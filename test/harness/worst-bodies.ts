// Bodies of 64 KiB that make bad parsers slow, for public routes: JSON, forms, and processor webhooks.

import { worstTexts } from './worst-texts.ts';

export const bodyBytes = 64 * 1024;

export type WorstBody = { name: string; body: Buffer };

const maxContentBytes = bodyBytes - 1_024;

function bodyOf(name: string, head: string, part: (index: number) => string, tail: string): WorstBody {
  let text = head;
  for (let index = 0; text.length < maxContentBytes; index++) text += part(index);
  return { name, body: Buffer.from(text + tail).subarray(0, bodyBytes) };
}

const number = (index: number) => String(index).padStart(5, '0');

/** Bodies that fit any route. */
function wholeBodies(): WorstBody[] {
  return [
    bodyOf('many unknown fields', '{', (index) => `"${number(index)}":0,`, '"x":0}'),
    bodyOf('many careful fields', '{', (index) => `"${number(index)}":1e1,`, '"x":0}'),
    bodyOf(
      '800 unknown fields of long names',
      '{',
      (index) => `"${number(index)}${'n'.repeat(65)}":0,`,
      '"x":0}',
    ),
    bodyOf('deep arrays', '', () => '[', ''),
    bodyOf('deep objects', '', () => '{"a":', ''),
    bodyOf('an array of objects', '[', () => '{"a":[[{}]]},', '0]'),
    bodyOf('an array of numbers', '[', () => '1.0e1,', '0]'),
    bodyOf('an array of inexact numbers', '[', () => '1e999,', '0]'),
    bodyOf('forbidden names', '[', () => '{"__proto__":0},', '0]'),
    bodyOf('escaped text', '["', () => '\\u0041', '"]'),
    bodyOf('NULs', '[', () => '"\\u0000",', '0]'),
    bodyOf('an unfinished string', '"', () => '\\"', ''),
    bodyOf('white space', '', () => ' ', '{}'),
    bodyOf('bytes that are no UTF-8', '{"a":"', () => 'a', '"').body.fill(0xff, 6),
  ].map((made) => (Buffer.isBuffer(made) ? { name: 'bytes that are no UTF-8', body: made } : made));
}

type Example = Readonly<Record<string, unknown>>;

/** An example with other text as the value of a field. */
function withField(example: Example, field: string, raw: string): Buffer {
  const members = Object.entries({ ...example, [field]: 0 }).map(
    ([name, value]) => `${JSON.stringify(name)}:${name === field ? raw : JSON.stringify(value)}`,
  );
  return Buffer.from(`{${members.join()}}`);
}

/** Bodies like a route's example, each with one field of the maximum length. */
function fieldBodies(example: Example): WorstBody[] {
  const length = maxContentBytes - JSON.stringify(example).length;
  const numbers: [string, string][] = [
    ['digits', '1'.repeat(length)],
    ['zeros behind a point', `1.${'0'.repeat(length)}`],
    ['zeros before digits', `0.${'0'.repeat(length)}1`],
    ['zeros in an exponent', `1e${'0'.repeat(length)}1`],
    ['a large exponent', '1e9999'],
    ['an array of texts', `[${'"a",'.repeat(length / 4)}"a"]`],
    ['an array of objects', `[${'{},'.repeat(length / 3)}{}]`],
  ];
  const texts = worstTexts().map(({ name, ofLength }): [string, string] => {
    const text = JSON.stringify(ofLength(length));
    return [name, text.length <= length + 2 ? text : JSON.stringify(ofLength(Math.floor(length / 7)))];
  });
  return Object.keys(example).flatMap((field) =>
    [...numbers, ...texts].map(([name, raw]) => ({
      name: `${field}: ${name}`,
      body: withField(example, field, raw),
    })),
  );
}

/** The worst JSON bodies for a route with such an example. */
export function worstJson(example: Example): WorstBody[] {
  return [...wholeBodies(), ...fieldBodies(example)].filter(({ body }) => body.length <= bodyBytes);
}

/** The worst forms with these fields. */
export function worstForms(fields: readonly string[]): WorstBody[] {
  const length = maxContentBytes - 200;
  const texts = worstTexts({ more: ['%00', '%', '&', '=', 'a=&', '%f0%9f%92%b3'] });
  return fields.flatMap((field) =>
    texts.map(({ name, ofLength }) => ({
      name: `${field}: ${name}`,
      body: Buffer.from(
        fields.map((one) => `${one}=${one === field ? ofLength(length) : '1'}`).join('&'),
      ).subarray(0, bodyBytes),
    })),
  );
}

export type OpenRoute = { path: string; type: string; bodies: WorstBody[] };

type Operation = {
  security?: readonly object[];
  requestBody?: {
    content: Record<string, { schema?: { examples?: readonly Example[] }; example?: Example }>;
  };
};

/** Every public route with a body, and the worst bodies for it; `code` is that of an open link. */
export async function openRoutes(baseUrl: string, code: string): Promise<OpenRoute[]> {
  const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const described = Object.entries(paths).flatMap(([path, { post }]) => {
    const content = post?.requestBody?.content['application/json'];
    if (!post || !content || (post.security ?? []).length > 0) return [];
    return [{ path, type: 'application/json', bodies: worstJson(content.example ?? {}) }];
  });
  const form = 'application/x-www-form-urlencoded';
  const card = ['form_token', 'cc_name', 'cc_number', 'cc_exp', 'cc_csc'];
  const bodies = worstForms(card);
  const hooks = ['stripe', 'mollie', 'paypal'].map((processor) => ({
    path: `/processors/${processor}/webhook/con_${code.slice(0, 8)}${'0'.repeat(16)}`,
    type: 'application/json',
    bodies: worstJson({ id: 'evt_1' }),
  }));
  return [...described, { path: `/pay/${code}`, type: form, bodies }, ...hooks];
}

/** The milliseconds until the response to a body. */
export async function sendWorst(
  baseUrl: string,
  { path, type }: OpenRoute,
  { body }: WorstBody,
): Promise<number> {
  const from = performance.now();
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': type },
    body: new Uint8Array(body),
    redirect: 'manual',
  });
  await response.arrayBuffer();
  if (response.status >= 500) throw new Error(`${path} answered ${response.status}`);
  return performance.now() - from;
}
