// The files of the hosted pages, with a hash of their content in the path: browsers may cache them forever.

import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type EncodedContent, hashContent } from '../http/content-encoding.ts';

/** `path`: the URL path with the content hash, such as `/assets/checkout.3fa9c1d2.css`. */
export type Asset = EncodedContent & { path: string };

export type AssetName = 'css' | 'js' | 'icon';

const files: Record<
  AssetName,
  { stem: string; extension: string; contentType: string; from: readonly string[] }
> = {
  css: {
    stem: 'checkout',
    extension: 'css',
    contentType: 'text/css; charset=utf-8',
    from: ['checkout.css', 'states.css'],
  },
  js: {
    stem: 'checkout',
    extension: 'js',
    contentType: 'text/javascript; charset=utf-8',
    from: ['checkout.js'],
  },
  icon: { stem: 'icon', extension: 'svg', contentType: 'image/svg+xml', from: ['icon.svg'] },
};

/** Relies on the style of our sources: a comment has its own lines, and no string spans lines. */
function withoutComments(source: string, name: AssetName): string {
  const bare = source.replace(name === 'css' ? /\/\*[\s\S]*?\*\//g : /^ *\/[/*].*$/gm, '');
  return bare.replace(/^\s+/gm, '');
}

/** Fast enough for the stylesheet of a company, which is made while a page is rendered. */
function compress(body: Buffer): Buffer {
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
}

function makeAsset(options: {
  folder: string;
  stem: string;
  extension: string;
  contentType: string;
  body: Buffer;
}): Asset {
  const { folder, stem, extension, contentType, body } = options;
  const hash = hashContent(body);
  const bodies = { identity: body, br: compress(body), gzip: gzipSync(body) };
  return { path: `/assets/${folder}${stem}.${hash.slice(0, 8)}.${extension}`, contentType, bodies, hash };
}

/** `folder`: a `file:` URL that ends in a slash. Throws if a file is missing. */
export function readAssets(folder: URL): Record<AssetName, Asset> {
  const read = (name: AssetName): Asset => {
    const sources = files[name].from.map((file) => readFileSync(new URL(file, folder), 'utf8'));
    const body = Buffer.from(withoutComments(sources.join(''), name));
    return makeAsset({ ...files[name], folder: '', body });
  };
  return { css: read('css'), js: read('js'), icon: read('icon') };
}

// Read once at the start: pages and files of one process always match.
const loaded = readAssets(new URL('./assets/', import.meta.url));

export function checkoutAssets(): readonly Asset[] {
  return Object.values(loaded);
}

export function assetBody(name: AssetName): string {
  return loaded[name].bodies.identity.toString('utf8');
}

export function assetPaths(): Record<AssetName, string> {
  return { css: loaded.css.path, js: loaded.js.path, icon: loaded.icon.path };
}

/** The stylesheet with more rules at its end, in its own folder below `/assets/`. */
export function makeStylesheet(options: { folder: string; more: string }): Asset {
  const body = Buffer.concat([loaded.css.bodies.identity, Buffer.from(options.more)]);
  return makeAsset({ ...files.css, folder: `${options.folder}/`, body });
}
