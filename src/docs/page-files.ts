// The documentation's files, each at the path that it has in the repository, so that their relative links work. Must not:
// serve a file that is not in this list.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Pages outside of docs/ that pages of docs/ link. */
export const projectPages = [
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  'sdk/README.md',
  'sdk-python/README.md',
] as const;

const pageName = /\.md$/;
const imageName = /\.png$/;

export type PageFiles = {
  /** Paths in the repository, such as `docs/api.md`, sorted. */
  pages: readonly string[];
  images: readonly string[];
  read(file: string): string;
  readBytes(file: string): Buffer;
};

function listFolder(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${folder}/${name.split(path.sep).join('/')}`,
  );
}

/** `folder`: a `file:` URL of the repository that ends in a slash. Throws if there is no documentation. */
export function openPageFiles(folder: URL): PageFiles {
  const root = fileURLToPath(folder);
  const present = new Set([
    ...listFolder(root, 'docs'),
    ...projectPages.filter((name) => existsSync(path.join(root, name))),
  ]);
  const docs = [...present].filter((name) => name.startsWith('docs/')).sort();
  return {
    pages: [
      ...docs.filter((name) => pageName.test(name)),
      ...projectPages.filter((name) => present.has(name)),
    ],
    images: docs.filter((name) => imageName.test(name)),
    read: (file) => readFileSync(path.join(root, file), 'utf8'),
    readBytes: (file) => readFileSync(path.join(root, file)),
  };
}

/** The target of a link in the repository, without its fragment; null for an absolute address or a fragment alone. */
export function resolveLink(from: string, target: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return null;
  const [name = ''] = target.split('#');
  return name === '' ? null : path.posix.normalize(path.posix.join(path.posix.dirname(from), name));
}

/**
 * The text of a page as it is served: what a link names that is not served, such as a file of the source, becomes text.
 */
export function pageText(files: PageFiles, file: string): string {
  const served = new Set([...files.pages, ...files.images]);
  return files.read(file).replaceAll(/\[([^[\]]*)\]\(([^)\s]+)\)/g, (link, text: string, target: string) => {
    const resolved = resolveLink(file, target);
    if (resolved === null || served.has(resolved)) return link;
    return text.replaceAll('`', '') === resolved ? text : `${text} (\`${resolved}\`)`;
  });
}
