// Writes which values each text of the dashboard takes, from web/src/texts/en.json, or with --check says that the file is
// stale. TypeScript takes the keys from that file itself, but not what is inside its texts.

import { readFile, writeFile } from 'node:fs/promises';
import type { IntlMessageFormat } from 'intl-messageformat';
import { parseText } from './compile-texts.mjs';

type Tree = { readonly [key: string]: string | Tree };
type Parts = ReturnType<IntlMessageFormat['getAst']>;

const folder = new URL('../web/src/texts/', import.meta.url);

/** Plural forms and `{count, number}` take a number; a plain value is text that the caller has formatted. */
function valuesOf(parts: Parts, found = new Map<string, string>()): Map<string, string> {
  for (const part of parts) {
    if ('options' in part) {
      found.set(part.value, 'pluralType' in part ? 'number' : 'string');
      for (const { value } of Object.values(part.options)) valuesOf(value, found);
    } else if ('style' in part) found.set(part.value, 'number');
    else if (part.type === 1) found.set(part.value, found.get(part.value) ?? 'string');
  }
  return found;
}

const nameOf = (key: string) => (/^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`);

function describe(tree: Tree, indent: string): string {
  return Object.entries(tree)
    .map(([key, text]) => {
      if (typeof text !== 'string') {
        const inner = describe(text, `${indent}  `);
        return inner === '' ? '' : `${indent}${nameOf(key)}: {\n${inner}${indent}};\n`;
      }
      const values = [...valuesOf(parseText(text))].map(([name, type]) => `${name}: ${type}`);
      return values.length === 0 ? '' : `${indent}${nameOf(key)}: { ${values.join('; ')} };\n`;
    })
    .join('');
}

const english = JSON.parse(await readFile(new URL('en.json', folder), 'utf8')) as Tree;
const content = `// The values of the dashboard's texts, generated from en.json by \`npm run goldens\`.

export type TextValues = {
${describe(english, '  ')}};
`;
const file = new URL('text-values.ts', folder);
if ((await readFile(file, 'utf8').catch(() => '')) !== content) {
  if (process.argv.includes('--check')) {
    console.error('web/src/texts/text-values.ts is stale: run "npm run goldens" and commit it.');
    process.exitCode = 1;
  } else await writeFile(file, content);
}
