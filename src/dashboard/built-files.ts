// The built dashboard of `scripts/build-web.mjs`, read once and cached, each file also compressed. A process must
// serve the build that it started with: the page and its files match.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type Encoding = 'br' | 'gzip' | 'identity';

export type BuiltFile = {
  contentType: string;
  /** In the available encodings; `identity` always. */
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer };
  /** SHA-256 of the content in hex. */
  hash: string;
};

export type BuiltDashboard = {
  page: BuiltFile;
  /** By file name, which contains a hash of the content. */
  assets: ReadonlyMap<string, BuiltFile>;
};

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

function readBuiltFile(folder: string, name: string, present: ReadonlySet<string>): BuiltFile {
  const read = (suffix: string) => readFileSync(`${folder}${name}${suffix}`);
  const identity = read('');
  return {
    contentType: contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    bodies: {
      identity,
      ...(present.has(`${name}.br`) ? { br: read('.br') } : {}),
      ...(present.has(`${name}.gz`) ? { gzip: read('.gz') } : {}),
    },
    hash: createHash('sha256').update(identity).digest('hex'),
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

/** The smallest form of a file that an Accept-Encoding header accepts (RFC 9110 section 12.5.3). */
export function chooseEncoding(file: BuiltFile, accepted: string | undefined): Encoding {
  const taken = new Set(
    (accepted ?? '')
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => !/;\s*q=0(\.0{0,3})?$/.test(part))
      .map((part) => part.split(';', 1)[0]?.trim()),
  );
  return (
    (['br', 'gzip'] as const).find((encoding) => file.bodies[encoding] && taken.has(encoding)) ?? 'identity'
  );
}
