// The documents as data for tests: their fenced blocks, sections and tables.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './process.ts';

export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

export const documents: readonly string[] = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  'sdk/README.md',
  'sdk-python/README.md',
  'integrations/medusa/README.md',
  'integrations/vendure/README.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.split(path.sep).join('/')}`),
];

export type Block = { language: string; text: string };

/** Every fenced block of a text, in order. A fence without a language has the language ''. */
export function fencedBlocks(text: string): Block[] {
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }));
}

export function blocksOf(text: string, language: string): string[] {
  return fencedBlocks(text)
    .filter((block) => block.language === language)
    .map((block) => block.text);
}

export function sectionOf(text: string, heading: string): string {
  const [, section] = text.split(`\n${heading}\n`);
  assert.ok(section !== undefined, `there is no heading "${heading}"`);
  return section.split(new RegExp(`^${heading.split(' ')[0]} `, 'm'))[0] ?? '';
}

/** The cells of a section's table rows, without the header. */
export function rowsOf(section: string): string[][] {
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

export const bare = (cell: string | undefined): string => (cell ?? '').replaceAll('`', '');
