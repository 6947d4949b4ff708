// The pages of the documentation, as the service serves them, so that they fit its version. Must not: ask for a path that
// the service does not list.

import { Type } from 'typebox';
import { PaylinkConnectionError, PaylinkError, PaylinkTimeoutError } from '../../sdk/src/index.ts';
import { ToolError } from './results.ts';
import { argumentsOf, optionalText, readingTool, type Tool, type ToolContext } from './tool.ts';

export type DocumentationPage = { path: string; title: string; summary: string };

type Reader = Pick<ToolContext, 'paylink' | 'options'>;

/** How long a page may take, with its body, which the limits of the client do not cover. */
const readLimitMs = 30_000;

async function readText({ paylink, options }: Reader, path: string): Promise<string> {
  const limit = AbortSignal.timeout(readLimitMs);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  try {
    const response = await paylink.rawRequest('get', path, {}, { ...options, signal });
    return await response.text();
  } catch (error) {
    if (error instanceof PaylinkError || options.signal?.aborted) throw error;
    if (limit.aborted) throw new PaylinkTimeoutError(`No page within ${readLimitMs} ms.`);
    throw new PaylinkConnectionError('The connection broke.', { cause: error });
  }
}

/** The pages of /llms.txt that are Markdown. Several of its entries may be about one page: the first counts. */
export async function listPages(reader: Reader): Promise<DocumentationPage[]> {
  const pages = new Map<string, DocumentationPage>();
  const entries = (await readText(reader, '/llms.txt')).matchAll(/^- \[([^\]]+)\]\(([^)]+)\)(?:: (.*))?$/gm);
  for (const [, title = '', link = '', summary = ''] of entries) {
    const path = URL.canParse(link) ? new URL(link).pathname.slice(1) : '';
    if (path.endsWith('.md') && !pages.has(path)) pages.set(path, { path, title, summary });
  }
  return [...pages.values()];
}

/** The page's text; null if the service does not list it. */
export async function readPage(reader: Reader, path: string): Promise<string | null> {
  const pages = await listPages(reader);
  return pages.some((page) => page.path === path) ? await readText(reader, `/${path}`) : null;
}

export type Section = { heading: string; text: string };

/** The text before the first heading of the second level, and the sections that follow. */
export function splitPage(text: string): { start: string; sections: Section[] } {
  const sections: Section[] = [];
  let start = '';
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const last = sections.at(-1);
    if (!isCode && line.startsWith('## '))
      sections.push({ heading: line.slice(3).trim(), text: `${line}\n` });
    else if (last) last.text += `${line}\n`;
    else start += `${line}\n`;
  }
  return { start, sections };
}

/** A longer page is returned in sections. */
export const maxPageCharacters = 30_000;

type PageResult = { page?: string; section?: string; sections?: string[]; text: string };

const lineOf = ({ path, title, summary }: DocumentationPage) =>
  `- ${path}: ${title}${summary === '' ? '' : `. ${summary}`}`;

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

async function read(reader: Reader, given: { page?: string; section?: string }): Promise<PageResult> {
  if (given.page === undefined) {
    const lines = (await listPages(reader)).map(lineOf);
    return { text: `Call this tool with one of these pages.\n\n${lines.join('\n')}\n` };
  }
  const page = given.page.replace(/^\//, '').replace(/#.*$/, '');
  const text = await readPage(reader, page);
  if (text === null)
    throw new ToolError(
      'unknown_page',
      'There is no such page. Call this tool without arguments for the list.',
    );
  const { start, sections } = splitPage(text);
  const headings = sections.map(({ heading }) => heading);
  if (given.section !== undefined) {
    const wanted = given.section.replace(/^#+\s*/, '').trim();
    const found = sections.find(({ heading }) => heading.toLowerCase() === wanted.toLowerCase());
    if (found) return { page, section: found.heading, text: found.text };
    throw new ToolError('unknown_section', `${page} has no such section. Its sections: ${quoted(headings)}.`);
  }
  if (text.length <= maxPageCharacters || headings.length === 0) return { page, text };
  return {
    page,
    sections: headings,
    text: `${start}\nThis page is long. Call this tool with one of its sections: ${quoted(headings)}.\n`,
  };
}

export const documentationTools: readonly Tool[] = [
  readingTool({
    name: 'read_documentation',
    title: 'Read the documentation',
    description:
      'Returns a page of the documentation of this Paylink as Markdown; without arguments, the list of pages. A long page is ' +
      'returned in sections. docs/errors.md says what to do about each error code.',
    scope: null,
    origin: 'paylink',
    input: argumentsOf({
      page: optionalText('The path of the page, such as docs/errors.md', 200),
      section: optionalText('The heading of a section of the page', 200),
    }),
    output: Type.Object({
      page: Type.Optional(Type.String()),
      section: Type.Optional(Type.String()),
      sections: Type.Optional(Type.Array(Type.String(), { description: 'The sections of a long page' })),
      text: Type.String({ description: 'Markdown' }),
    }),
    read,
    textOf: (data) => (data as PageResult).text,
  }),
];
