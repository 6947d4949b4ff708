// Serves the documentation: the API reference at /docs, its pages as Markdown, and llms.txt. All of it comes from this
// server, under a policy that allows no other origin.

import { readFileSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '../base/errors.ts';
import { type EncodedContent, encodeContent, hashContent, sendEncoded } from '../http/content-encoding.ts';
import type { HttpServer } from '../http/http-server.ts';
import { type ApiDocument, readDescription } from './description.ts';
import { openPageFiles, type PageFiles, pageText, projectPages } from './page-files.ts';
import { groupPages, renderLlmsText } from './page-index.ts';
import { renderReference } from './reference-page.ts';

const usualFolder = new URL('../../', import.meta.url);

/** The page calls this service only. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

type DocsDeps = {
  log: { warn(fields: object, message: string): void };
  baseUrl: string;
  /** A `file:` URL of the repository that ends in a slash. */
  folder?: URL;
};

/** Content that is made at its first request: it never changes while the process runs. */
function keepContents() {
  const contents = new Map<string, Promise<EncodedContent>>();
  return (
    name: string,
    make: () => { contentType: string; text: string | Buffer },
  ): Promise<EncodedContent> => {
    const known = contents.get(name);
    if (known) return known;
    const { contentType, text } = make();
    const content = encodeContent(contentType, Buffer.from(text));
    contents.set(name, content);
    return content;
  };
}

/** The page's own files by their name with a hash. */
function readAssets(): Map<string, { contentType: string; text: Buffer }> {
  const named = [
    ['reference', 'css', 'text/css; charset=utf-8'],
    ['reference', 'js', 'text/javascript; charset=utf-8'],
    ['icon', 'svg', 'image/svg+xml'],
  ] as const;
  return new Map(
    named.map(([stem, extension, contentType]) => {
      const text = readFileSync(new URL(`./assets/${stem}.${extension}`, import.meta.url));
      return [`${stem}.${hashContent(text).slice(0, 8)}.${extension}`, { contentType, text }];
    }),
  );
}

/** Registers the routes. The description is read at the first request, when it is complete. */
export function registerDocsRoutes(app: HttpServer, deps: DocsDeps): void {
  const { baseUrl, log, folder = usualFolder } = deps;
  const schema = { hide: true };
  const keep = keepContents();
  let files: PageFiles | null = null;
  const openFiles = (): PageFiles => {
    try {
      files ??= openPageFiles(folder);
      return files;
    } catch (err) {
      // An installation may leave the documentation out.
      log.warn({ err }, 'the documentation is not installed');
      throw errors.notFound();
    }
  };
  registerReference(app, { baseUrl, keep, openFiles });
  app.get('/llms.txt', { schema }, async (request, reply) => {
    const content = await keep('/llms.txt', () => ({
      contentType: 'text/plain; charset=utf-8',
      text: renderLlmsText(openFiles(), baseUrl),
    }));
    return sendEncoded(request, reply.header('cache-control', 'public, max-age=60'), content);
  });
  const sendPage = async (file: string, request: FastifyRequest, reply: FastifyReply) => {
    const { pages, images, readBytes } = openFiles();
    void reply.header('cache-control', 'public, max-age=60');
    if (images.includes(file)) {
      const identity = readBytes(file);
      const picture = { contentType: 'image/png', bodies: { identity }, hash: hashContent(identity) };
      return sendEncoded(request, reply, picture);
    }
    if (!pages.includes(file)) throw errors.notFound();
    const content = await keep(file, () => ({
      contentType: 'text/markdown; charset=utf-8',
      text: pageText(openFiles(), file),
    }));
    return sendEncoded(request, reply, content);
  };
  app.get('/docs/*', { schema }, (request, reply) =>
    sendPage(`docs/${(request.params as { '*': string })['*']}`, request, reply),
  );
  for (const file of projectPages)
    app.get(`/${file}`, { schema }, (request, reply) => sendPage(file, request, reply));
}

type ReferenceDeps = {
  baseUrl: string;
  keep: ReturnType<typeof keepContents>;
  openFiles: () => PageFiles;
};

function registerReference(app: HttpServer, { baseUrl, keep, openFiles }: ReferenceDeps): void {
  const schema = { hide: true };
  // Read at the start: the page and its files always match.
  const assets = readAssets();
  const [css = '', js = '', icon = ''] = [...assets.keys()].map((name) => `/docs/assets/${name}`);
  const integratorPages = () => {
    try {
      return groupPages(openFiles()).groups[0]?.pages ?? [];
    } catch {
      return [];
    }
  };
  const render = () => ({
    contentType: 'text/html; charset=utf-8',
    text: renderReference(readDescription(app.swagger() as ApiDocument), {
      baseUrl,
      assets: { css, js, icon },
      pages: integratorPages(),
    }).html,
  });
  const sendReference = async (request: FastifyRequest, reply: FastifyReply) => {
    // Revalidated at each visit, so that an update of the service updates the page.
    void reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' });
    return sendEncoded(request, reply, await keep('/docs', render));
  };
  app.get('/docs', { schema }, sendReference);
  app.get('/docs/assets/:name', { schema }, async (request, reply) => {
    const { name } = request.params as { name: string };
    const file = assets.get(name);
    if (!file) throw errors.notFound();
    void reply.header('cache-control', 'public, max-age=31536000, immutable');
    return sendEncoded(request, reply, await keep(`/docs/assets/${name}`, () => file));
  });
}
