// The list of the documentation's pages, from the tables of docs/README.md, and as llms.txt (https://llmstxt.org).

import { type PageFiles, resolveLink } from './page-files.ts';

/** `path`: the URL path, with a fragment if the entry is about a part of a page. */
export type PageOfDocs = { title: string; path: string; text: string };

export type PageGroup = { title: string; pages: PageOfDocs[] };

const index = 'docs/README.md';

/** A text in Markdown, without its links. */
const withoutLinks = (text: string) => text.replaceAll(/\[([^[\]]*)\]\([^)\s]+\)/g, '$1');

/** The entries of a page's tables that begin with a link: `| [Title](page.md) | … | text |`. */
function readTables(files: PageFiles, file: string): { group: string; page: PageOfDocs; target: string }[] {
  const entries = [];
  let group = '';
  for (const line of files.read(file).split('\n')) {
    if (line.startsWith('## ')) group = line.slice(3);
    const [, title, link] = /^\| \[([^\]]+)\]\(([^)\s]+)\) \|/.exec(line) ?? [];
    if (title === undefined || link === undefined) continue;
    const target = resolveLink(file, link);
    if (target === null || !files.pages.includes(target)) continue;
    const fragment = link.includes('#') ? link.slice(link.indexOf('#')) : '';
    const text = withoutLinks(line.split('|').at(-2)?.trim() ?? '');
    entries.push({ group, page: { title, path: `/${target}${fragment}`, text }, target });
  }
  return entries;
}

/** A page by its heading and the first sentence of its first paragraph. */
function describePage(files: PageFiles, file: string): PageOfDocs {
  const text = files.read(file);
  const title = /^# (.+)$/m.exec(text)?.[1] ?? file;
  const paragraph = text.split(/\n{2,}/).find((part) => /^[\p{L}\p{N}*`[]/u.test(part)) ?? '';
  const [sentence = ''] = withoutLinks(paragraph.replaceAll(/\s+/g, ' ')).split(/(?<=[.!?]) /);
  return {
    title: withoutLinks(title),
    path: `/${file}`,
    text: sentence.replaceAll('**', '').replace(/\.$/, ''),
  };
}

/** The groups of docs/README.md, and a last one with every other page. */
export function groupPages(files: PageFiles): { groups: PageGroup[]; others: PageOfDocs[] } {
  const groups = new Map<string, PageGroup>();
  const listed = new Set([index]);
  for (const { group, page, target } of readTables(files, index)) {
    const known = groups.get(group) ?? { title: group, pages: [] };
    known.pages.push(page);
    groups.set(group, known);
    listed.add(target);
  }
  // The index of a folder, such as the runbooks, describes its pages better than their first sentence.
  const described = new Map(
    files.pages
      .filter((file) => file !== index && file.endsWith('/README.md'))
      .flatMap((file) => readTables(files, file))
      .map(({ target, page }) => [target, { ...page, path: `/${target}` }]),
  );
  const others = files.pages
    .filter((file) => !listed.has(file))
    .map((file) => described.get(file) ?? describePage(files, file));
  return { groups: [...groups.values()], others };
}

const lineOf = (baseUrl: string, { title, path, text }: PageOfDocs) =>
  `- [${title}](${baseUrl}${path})${text === '' ? '' : `: ${text}`}`;

/** The text of llms.txt: every page with one line, those that can be left out last. */
export function renderLlmsText(files: PageFiles, baseUrl: string): string {
  const { groups, others } = groupPages(files);
  const overview: PageGroup = {
    title: 'API',
    pages: [
      {
        title: 'OpenAPI description',
        path: '/openapi.json',
        text: 'every operation with its schemas, errors and examples, for programs',
      },
      {
        title: 'Reference',
        path: '/docs',
        text: 'the same as a page, with examples in curl, Node, Python, PHP and Go',
      },
      { title: 'Index of the documentation', path: `/${index}`, text: 'every page, by what the reader does' },
    ],
  };
  return `# Paylink

> A self-hosted payment link service: one API call gives a link, the customer pays, and the merchant gets a signed result.

The API of this installation is at ${baseUrl}. Amounts are in major units, with a currency code. Errors are problem
documents (RFC 9457): branch on their \`code\`. Every page below is Markdown.

${[overview, ...groups, { title: 'Optional', pages: others }]
  .map(({ title, pages }) => `## ${title}\n\n${pages.map((page) => lineOf(baseUrl, page)).join('\n')}\n`)
  .join('\n')}`;
}
