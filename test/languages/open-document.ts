// Opens one of the documents of documents.ts in a browser without a service.

import type { Page } from 'playwright-core';
import { pageFiles } from './documents.ts';

const origin = 'http://pages.example';

/** Opens a document in a page; what it would load next stays away. */
export async function openDocument(page: Page, html: string): Promise<void> {
  await page.unrouteAll();
  await page.route(`${origin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const file = pageFiles.get(pathname);
    if (file) return await route.fulfill({ contentType: file.contentType, body: file.bodies.identity });
    if (pathname === '/') return await route.fulfill({ contentType: 'text/html', body: html });
    await route.fulfill({ status: 204 });
  });
  await page.goto(`${origin}/`);
}
