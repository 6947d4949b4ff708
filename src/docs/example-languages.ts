// Code examples: a request as a program in each language. The programs use only what comes with the language, print the
// body of the response, and fail if the status is an error.

import type { ExampleBody, ExampleHeader, ExampleRequest } from './example-request.ts';

export type ExampleLanguage = {
  id: string;
  title: string;
  /** The ending of a file with the program. */
  extension: string;
  render(request: ExampleRequest): string;
};

/** How a language writes JSON values. */
type Style = {
  indent: string;
  object: readonly [open: string, close: string];
  list: readonly [open: string, close: string];
  emptyObject: string;
  member(name: string, value: string): string;
  text(value: string): string;
  constants: Readonly<Record<'true' | 'false' | 'null', string>>;
};

function printAll(parts: readonly string[], [open, close]: readonly [string, string], outer: string): string {
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join('')}${outer}${close}`;
}

function printValue(value: unknown, style: Style, outer: string): string {
  if (typeof value === 'string') return style.text(value);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null)
    return style.constants[String(value) as 'true' | 'false' | 'null'];
  const inner = outer + style.indent;
  if (Array.isArray(value)) {
    const parts = value.map((one) => `${inner}${printValue(one, style, inner)},\n`);
    return printAll(parts, style.list, outer);
  }
  const members = Object.entries(value);
  if (members.length === 0) return style.emptyObject;
  const parts = members.map(
    ([name, one]) => `${inner}${style.member(name, printValue(one, style, inner))},\n`,
  );
  return printAll(parts, style.object, outer);
}

const singleQuoted = (text: string) =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
const lines = (...parts: readonly (string | false | readonly string[])[]) =>
  parts
    .flat()
    .filter((line) => line !== false)
    .join('\n');

/** A text in single quotes of a shell. */
const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function curlBody(body: ExampleBody | null): string[] {
  if (body === null) return [];
  if (body.kind === 'file') return [`--data-binary @${body.name}`];
  return [`--data ${shellQuoted(JSON.stringify(body.value, null, 2))}`];
}

function renderCurl({ method, url, headers, body }: ExampleRequest): string {
  const header = ({ name, value, variable }: ExampleHeader) =>
    variable === undefined ? shellQuoted(`${name}: ${value}`) : `"${name}: ${value}$${variable}"`;
  const isUsual = method === (body === null ? 'GET' : 'POST');
  return [
    `curl --fail-with-body ${isUsual ? '' : `--request ${method} `}${shellQuoted(url)}`,
    ...headers.map((one) => `--header ${header(one)}`),
    ...curlBody(body),
  ].join(' \\\n  ');
}

const nodeStyle: Style = {
  indent: '  ',
  object: ['{', '}'],
  list: ['[', ']'],
  emptyObject: '{}',
  member: (name, value) => `${/^[A-Za-z_]\w*$/.test(name) ? name : singleQuoted(name)}: ${value}`,
  text: singleQuoted,
  constants: { true: 'true', false: 'false', null: 'null' },
};

function nodeHeader({ name, value, variable }: ExampleHeader): string {
  const env = `process.env.${variable}`;
  const text = variable === undefined ? singleQuoted(value) : value === '' ? env : `\`${value}\${${env}}\``;
  return `    ${nodeStyle.member(name, text)},`;
}

function nodeBody(body: ExampleBody): string {
  if (body.kind === 'file') return `await readFile(${singleQuoted(body.name)})`;
  return `JSON.stringify(${printValue(body.value, nodeStyle, '  ')})`;
}

function renderNode({ method, url, headers, body }: ExampleRequest): string {
  return lines(
    body?.kind === 'file' && ["import { readFile } from 'node:fs/promises';", ''],
    `const response = await fetch(${singleQuoted(url)}, {`,
    `  method: ${singleQuoted(method)},`,
    headers.length > 0 && ['  headers: {', ...headers.map(nodeHeader), '  },'],
    body !== null && `  body: ${nodeBody(body)},`,
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    'console.log(await response.text());',
  );
}

const pythonStyle: Style = {
  indent: '    ',
  object: ['{', '}'],
  list: ['[', ']'],
  emptyObject: '{}',
  member: (name, value) => `${JSON.stringify(name)}: ${value}`,
  // A JSON text is a Python text.
  text: (value) => JSON.stringify(value),
  constants: { true: 'True', false: 'False', null: 'None' },
};

function pythonHeader({ name, value, variable }: ExampleHeader): string {
  const env = `os.environ["${variable}"]`;
  const text = variable === undefined ? JSON.stringify(value) : value === '' ? env : `"${value}" + ${env}`;
  return `        "${name}": ${text},`;
}

function pythonBody(body: ExampleBody): string {
  if (body.kind === 'file') return `open("${body.name}", "rb").read()`;
  return `json.dumps(${printValue(body.value, pythonStyle, '    ')}).encode()`;
}

function renderPython({ method, url, headers, body }: ExampleRequest): string {
  return lines(
    body?.kind === 'json' && 'import json',
    headers.some(({ variable }) => variable !== undefined) && 'import os',
    ['import urllib.request', ''],
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    `    method="${method}",`,
    headers.length > 0 && ['    headers={', ...headers.map(pythonHeader), '    },'],
    body !== null && `    data=${pythonBody(body)},`,
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.read().decode())',
  );
}

/** A text in PHP: single quotes know no \n. */
const phpQuoted = (text: string) =>
  /[\n\r]/.test(text)
    ? JSON.stringify(text).replaceAll('$', '\\$')
    : `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const phpStyle: Style = {
  indent: '    ',
  object: ['[', ']'],
  list: ['[', ']'],
  // An empty array would become a list.
  emptyObject: 'new stdClass()',
  member: (name, value) => `${phpQuoted(name)} => ${value}`,
  text: phpQuoted,
  constants: { true: 'true', false: 'false', null: 'null' },
};

function phpHeader({ name, value, variable }: ExampleHeader): string {
  const text = phpQuoted(`${name}: ${value}`);
  return `        ${variable === undefined ? text : `${text} . getenv('${variable}')`},`;
}

function phpBody(body: ExampleBody): string {
  if (body.kind === 'file') return `file_get_contents('${body.name}')`;
  return `json_encode(${printValue(body.value, phpStyle, '    ')})`;
}

function renderPhp({ method, url, headers, body }: ExampleRequest): string {
  return lines(
    '<?php',
    "$context = stream_context_create(['http' => [",
    `    'method' => '${method}',`,
    headers.length > 0 && ["    'header' => [", ...headers.map(phpHeader), '    ],'],
    body !== null && `    'content' => ${phpBody(body)},`,
    "    'ignore_errors' => true, // the body of an error says what to do",
    ']]);',
    `$answer = file_get_contents(${phpQuoted(url)}, false, $context);`,
    'if ($answer === false) {',
    '    exit(1);',
    '}',
    'echo $answer, PHP_EOL;',
  );
}

/** A raw text of Go, which cannot contain a backtick; else a quoted one. */
const goText = (text: string) => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``);

function goHeader({ name, value, variable }: ExampleHeader): string {
  const env = `os.Getenv("${variable}")`;
  const text = variable === undefined ? JSON.stringify(value) : value === '' ? env : `"${value}"+${env}`;
  return `\trequest.Header.Set("${name}", ${text})`;
}

function goBody(body: ExampleBody | null): { setUp: string[]; reader: string } {
  if (body === null) return { setUp: [], reader: 'nil' };
  if (body.kind === 'json')
    return {
      setUp: [`\tbody := strings.NewReader(${goText(JSON.stringify(body.value, null, 2))})`],
      reader: 'body',
    };
  return {
    setUp: [`\tbody, err := os.Open("${body.name}")`, ...goCheck],
    reader: 'body',
  };
}

const goCheck = ['\tif err != nil {', '\t\tlog.Fatal(err)', '\t}'];

function renderGo({ method, url, headers, body }: ExampleRequest): string {
  const { setUp, reader } = goBody(body);
  const usesOs = body?.kind === 'file' || headers.some(({ variable }) => variable !== undefined);
  const packages = ['fmt', 'io', 'log', 'net/http', usesOs && 'os', body?.kind === 'json' && 'strings'];
  return lines(
    ['package main', '', 'import ('],
    packages.filter((name) => name !== false).map((name) => `\t"${name}"`),
    [')', '', 'func main() {'],
    setUp,
    `\trequest, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${reader})`,
    goCheck,
    headers.map(goHeader),
    '\tresponse, err := http.DefaultClient.Do(request)',
    goCheck,
    ['\tdefer response.Body.Close()', '\tanswer, err := io.ReadAll(response.Body)'],
    goCheck,
    ['\tif response.StatusCode >= 400 {', '\t\tlog.Fatalf("%s: %s", response.Status, answer)', '\t}'],
    ['\tfmt.Println(string(answer))', '}'],
  );
}

export const exampleLanguages: readonly ExampleLanguage[] = [
  { id: 'curl', title: 'curl', extension: 'sh', render: renderCurl },
  { id: 'node', title: 'Node', extension: 'mjs', render: renderNode },
  { id: 'python', title: 'Python', extension: 'py', render: renderPython },
  { id: 'php', title: 'PHP', extension: 'php', render: renderPhp },
  { id: 'go', title: 'Go', extension: 'go', render: renderGo },
];
