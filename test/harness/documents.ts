// The documents as tests read them: which there are, and the fenced blocks, sections and tables in them. It
// must never mend what it reads: a test sees a block as a reader sees it.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './process.ts';

/** A file of the project as text, by its path from the root. */
export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Every document, by its path from the root. */
export const documents: readonly string[] = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  'sdk/README.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.split(path.sep).join('/')}`),
];

export type Block = { language: string; text: string };

/** Every fenced block of a text, in order; one whose fence names no language has the language ''. */
export function fencedBlocks(text: string): Block[] {
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }));
}

/** The fenced blocks of a language, in order. */
export function blocksOf(text: string, language: string): string[] {
  return fencedBlocks(text)
    .filter((block) => block.language === language)
    .map((block) => block.text);
}

/** The text under a heading, up to the next one of the same rank. */
export function sectionOf(text: string, heading: string): string {
  const [, section] = text.split(`\n${heading}\n`);
  assert.ok(section !== undefined, `there is no heading "${heading}"`);
  return section.split(new RegExp(`^${heading.split(' ')[0]} `, 'm'))[0] ?? '';
}

/** The cells of a section's table rows, without the head. */
export function rowsOf(section: string): string[][] {
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** A cell without the marks of code. */
export const bare = (cell: string | undefined): string => (cell ?? '').replaceAll('`', '');
