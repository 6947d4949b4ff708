// The built dashboard, read once: a process must serve the build that it started with, since its files match.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type EncodedContent, hashContent } from '../http/content-encoding.ts';

export type BuiltDashboard = {
  page: EncodedContent;
  /** By file name, which contains a hash of the content. */
  assets: ReadonlyMap<string, EncodedContent>;
};

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

function readBuiltFile(folder: string, name: string, present: ReadonlySet<string>): EncodedContent {
  const read = (suffix: string) => readFileSync(`${folder}${name}${suffix}`);
  const identity = read('');
  return {
    contentType: contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    bodies: {
      identity,
      ...(present.has(`${name}.br`) ? { br: read('.br') } : {}),
      ...(present.has(`${name}.gz`) ? { gzip: read('.gz') } : {}),
    },
    hash: hashContent(identity),
  };
}

/** Reads a build from its folder (a `file:` URL that ends in a slash). Throws if there is none. */
export function readBuild(folder: URL): BuiltDashboard {
  const root = fileURLToPath(folder);
  const list = (place: string) => new Set(readdirSync(place));
  const assetsFolder = `${root}assets/`;
  const present = list(assetsFolder);
  const names = [...present].filter((name) => !/\.(br|gz)$/.test(name));
  return {
    page: readBuiltFile(root, 'index.html', list(root)),
    assets: new Map(names.map((name) => [name, readBuiltFile(assetsFolder, name, present)])),
  };
}
