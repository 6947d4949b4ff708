// Writes the committed generated files, or with --check lists stale ones: openapi.json from the routes'
// schemas, schema.sql from the migrated database, the status diagrams in the docs.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { apiVersions, newestVersion } from '../src/http/api-versions.ts';
import { attemptGraph, drawGraph, paymentGraph, refundGraph } from '../src/payments/states.ts';
import { createLogger } from '../src/telemetry.ts';
import { type Description, readShapes, type Shapes, withAdditions } from './api-shapes.ts';
import { dumpSchema } from './dump-schema.ts';

const root = new URL('../', import.meta.url);

/** Replaces the text between two marks of a document. Throws when the marks are missing. */
function fillBetween(text: string, name: string, filling: string): string {
  const open = `<!-- generated: ${name} -->`;
  const close = '<!-- /generated -->';
  const start = text.indexOf(open);
  const end = text.indexOf(close, start);
  if (start < 0 || end < 0) throw new Error(`the marks of ${name} are missing`);
  return `${text.slice(0, start + open.length)}\n${filling}\n${text.slice(end)}`;
}

const lineWidth = 120;

/** JSON with as many short items per line as fit, so that a diff shows few lines. */
function formatJson(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= lineWidth) return flat;
  const inner = `${indent} `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Array.isArray(value)
    ? value.map((item) => formatJson(item, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${formatJson(member, inner)}`);
  const lines = fillLines(members).map((line) => inner + line);
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

function fillLines(items: readonly string[]): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (
      last === undefined ||
      last.includes('\n') ||
      item.includes('\n') ||
      last.length + item.length > lineWidth
    )
      lines.push(item);
    else lines[lines.length - 1] = `${last}, ${item}`;
  }
  return lines;
}

/** The shapes of the newest version: those that are committed, and what was added to them. */
async function writeShapes(description: Description): Promise<[string, string]> {
  const file = `test/api-shapes/${newestVersion}.json`;
  const now = readShapes(description);
  const text = await readFile(new URL(file, root), 'utf8').catch(() => null);
  const shapes = text === null ? now : withAdditions(JSON.parse(text) as Shapes, now);
  return [file, `${formatJson(shapes)}\n`];
}

/** The list of versions in the docs, newest first. */
function listVersions(): string {
  const entries = apiVersions.toReversed().map(({ date, changes }) => {
    const lines = changes.map(({ description }) => `- ${description}.`);
    return `### ${date}\n\n${lines.join('\n')}`;
  });
  return `\n${entries.join('\n\n')}\n`;
}

async function generate(): Promise<Map<string, string>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'paylink-goldens-'));
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', BASE_URL: 'http://localhost:3000' });
  const app = await createApp({ config, log: createLogger({ level: 'silent' }) });
  try {
    const mermaid = (text: string) => `\`\`\`mermaid\n${text}\n\`\`\``;
    let states = await readFile(new URL('docs/states.md', root), 'utf8');
    states = fillBetween(states, 'payment', mermaid(drawGraph(paymentGraph, 'open')));
    states = fillBetween(states, 'attempt', mermaid(drawGraph(attemptGraph, 'created')));
    states = fillBetween(states, 'refund', mermaid(drawGraph(refundGraph, 'created')));
    let readme = await readFile(new URL('README.md', root), 'utf8');
    readme = fillBetween(readme, 'payment', mermaid(drawGraph(paymentGraph, 'open')));
    let versions = await readFile(new URL('docs/versions.md', root), 'utf8');
    versions = fillBetween(versions, 'versions', listVersions());
    const description = app.server.swagger();
    return new Map([
      ['openapi.json', `${formatJson(description)}\n`],
      await writeShapes(description as unknown as Description),
      ['docs/versions.md', versions],
      ['schema.sql', await dumpSchema(app.deps.db)],
      ['docs/states.md', states],
      ['README.md', readme],
    ]);
  } finally {
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const isCheck = process.argv.includes('--check');
let stale = 0;
for (const [name, content] of await generate()) {
  const file = new URL(name, root);
  const existing = await readFile(file, 'utf8').catch(() => '');
  if (existing === content) continue;
  stale += 1;
  if (isCheck) console.error(`${name} is stale: run "npm run goldens" and commit it.`);
  else await writeFile(file, content);
}
process.exit(isCheck && stale > 0 ? 1 : 0);
