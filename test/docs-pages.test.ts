// The documentation as a service serves it: llms.txt lists every page, every page is Markdown, and no link is broken.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { documents, read, rowsOf, sectionOf } from './harness/documents.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';

let paylink: Paylink;
before(async () => {
  paylink = await startPaylink('server');
});
after(async () => await paylink.stop());

/** These packages bring their README themselves. */
const ofOtherPackages = /^(sdk-python|integrations)\//;

const get = async (path: string, headers: Record<string, string> = {}) =>
  await fetch(new URL(path, paylink.baseUrl), { headers });

/** The status of each URL, asked once. */
function createChecker() {
  const known = new Map<string, number>();
  return async (url: string): Promise<number> => {
    const plain = url.split('#')[0] ?? '';
    const status = known.get(plain) ?? (await get(plain)).status;
    known.set(plain, status);
    return status;
  };
}

test('llms.txt has the form of llmstxt.org: a heading, a summary, and sections of links with one line each', async () => {
  const response = await get('/llms.txt');
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
  const text = await response.text();
  const [head = '', ...sections] = text.split('\n## ');
  assert.match(head, /^# Paylink\n\n> \S.*\n\n/);
  assert.deepEqual(
    sections.map((section) => section.split('\n')[0]),
    ['API', 'Integrators', 'Operators', 'Contributors', 'Optional'],
  );
  for (const section of sections)
    for (const line of section.trimEnd().split('\n').slice(2))
      assert.match(line, /^- \[[^\]]+\]\(http[^)\s]+\)(: \S.*)?$/);
});

test('llms.txt lists every page of docs/, and every link in it leads to a page', async () => {
  const text = await (await get('/llms.txt')).text();
  const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, link = '']) => link);
  const listed = new Set(links.map((link) => link.slice(`${paylink.baseUrl}/`.length).split('#')[0]));
  const pages = documents.filter((file) => file.startsWith('docs/'));
  assert.ok(pages.length > 90);
  assert.deepEqual(
    pages.filter((file) => !listed.has(file)),
    [],
  );
  const statusOf = createChecker();
  for (const link of links) assert.equal(await statusOf(link), 200, link);
});

test('every page is served as Markdown, and every relative link in it works', async () => {
  const statusOf = createChecker();
  let count = 0;
  for (const file of documents.filter((one) => !ofOtherPackages.test(one))) {
    const url = `${paylink.baseUrl}/${file}`;
    const response = await get(url);
    assert.equal(response.status, 200, file);
    assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8');
    const text = await response.text();
    for (const [, link, image] of text.matchAll(/\]\(([^)\s]+)\)|<img [^>]*src="([^"]+)"/g)) {
      const target = link ?? image ?? '';
      if (/^https?:|^#/.test(target)) continue;
      assert.equal(await statusOf(new URL(target, url).href), 200, `${file} links to ${target}`);
      count += 1;
    }
  }
  assert.ok(count > 300, `${count} links`);
});

test('a page is the text of its file, except for links to files that are not served', async () => {
  assert.equal(await (await get('/docs/states.md')).text(), read('docs/states.md'));
  const operations = await (await get('/docs/operations.md')).text();
  assert.ok(read('docs/operations.md').includes('](../deploy/proxies/nginx.conf)'));
  assert.ok(!operations.includes('](../deploy/'));
  assert.ok(operations.includes('`deploy/proxies/nginx.conf`'));
});

test('pages are compressed, and not sent again for a known ETag', async () => {
  for (const path of ['/docs', '/docs/api.md', '/llms.txt']) {
    const plain = await (await get(path, { 'accept-encoding': 'identity' })).text();
    const response = await get(path, { 'accept-encoding': 'br' });
    assert.equal(response.headers.get('content-encoding'), 'br');
    assert.ok(Number(response.headers.get('content-length')) < plain.length / 2, path);
    const etag = response.headers.get('etag') ?? '';
    const again = await get(path, { 'accept-encoding': 'br', 'if-none-match': etag });
    assert.equal(again.status, 304, path);
  }
});

test('no path leads to a file that is not a page or a picture of the documentation', async () => {
  for (const path of [
    '/docs/nothing.md',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e%2f.env.example',
    '/docs//etc/passwd',
    '/docs/images',
    '/docs/a%00b',
    '/docs/assets/reference.js',
    '/package.json',
    '/sdk/package.json',
  ])
    assert.equal((await get(path)).status, 404, path);
});

test('the reference lists the pages for integrators', async () => {
  const page = await (await get('/docs')).text();
  const rows = rowsOf(sectionOf(read('docs/README.md'), '## Integrators'));
  assert.ok(rows.length > 10);
  for (const [cell = ''] of rows) {
    const [, title = '', target = ''] = /\[([^\]]+)\]\(([^)]+)\)/.exec(cell) ?? [];
    const { pathname } = new URL(target, `${paylink.baseUrl}/docs/README.md`);
    assert.ok(page.includes(`<a href="${pathname}">${title}</a>`), title);
  }
});
