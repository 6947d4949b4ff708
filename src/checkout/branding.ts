// Serves a company's colour as a stylesheet, and its logo, which must be served as an image only.

import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { darken } from '../base/colour.ts';
import { errors } from '../base/errors.ts';
import { isCompanyId } from '../base/ids.ts';
import { darkLogoPath, logoPath } from '../companies/logo-paths.ts';
import { findLogoFile, findSmallLogo } from '../companies/logo-store.ts';
import type { Company } from '../companies/store.ts';
import type { Database, TenantTx } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import { type Asset, assetPaths, makeStylesheet } from './assets.ts';

/** The URLs of a page's files. A preview has no script. */
export type PageAssets = {
  css: string;
  js: string | null;
  icon: string;
  logo: string | null;
  /** Shown instead of the logo on dark pages; null: the logo itself. */
  darkLogo: string | null;
};

/** The button colour of a company without its own, as in assets/checkout.css. */
export const defaultColor = '#1849a9';

const hoverBrightness = 0.85;

// The contrast of white on the colour was checked when the company chose it (companies/check-company.ts), and a darker
// shade only increases it. On a dark page, the border separates a dark button from the card.
function brandRules(color: string): string {
  const shade = darken(color, hoverBrightness);
  return `.button:not(.quiet){--accent:${color};--accent-strong:${shade};--on-accent:#ffffff}
@media (prefers-color-scheme:dark){.button:not(.quiet){border-color:var(--field-edge)}}
`;
}

/** Recently used stylesheets: every page of a company needs the hash of its own. */
const stylesheets = new LRUCache<string, Asset>({ max: 200 });

function brandedStylesheet(color: string): Asset {
  const known = stylesheets.get(color);
  if (known) return known;
  const stylesheet = makeStylesheet({ folder: color.slice(1), more: brandRules(color) });
  stylesheets.set(color, stylesheet);
  return stylesheet;
}

export function pageAssets(company: Company | null): PageAssets {
  const { css, js, icon } = assetPaths();
  if (!company) return { css, js, icon, logo: null, darkLogo: null };
  const { brandColor } = company;
  return {
    css: brandColor ? brandedStylesheet(brandColor).path : css,
    js,
    icon,
    logo: logoPath(company),
    darkLogo: darkLogoPath(company),
  };
}

export function sendFile(
  reply: FastifyReply,
  file: Pick<Asset, 'contentType' | 'body' | 'hash'>,
): FastifyReply {
  return reply
    .headers({ 'cache-control': 'public, max-age=31536000, immutable', etag: `"${file.hash}"` })
    .type(file.contentType)
    .send(file.body);
}

/** The policy of a logo that is opened as a page of its own: it runs nothing and loads nothing. */
const logoPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The uploaded file of this name, or the small PNG in the settings. */
async function findServedLogo(
  tx: TenantTx,
  file: string,
): Promise<Pick<Asset, 'contentType' | 'body' | 'hash'> | null> {
  const stored = await findLogoFile(tx, file);
  if (stored) return { contentType: stored.contentType, body: stored.content, hash: stored.fileName };
  const small = await findSmallLogo(tx);
  if (!small || file !== `${small.hash}.png`) return null;
  return { contentType: 'image/png', body: small.bytes, hash: small.hash };
}

export function registerBranding(app: HttpServer, deps: { db: Database }): void {
  app.get('/assets/:color/:file', { schema: { hide: true } }, async (request, reply) => {
    const { color, file } = request.params as { color: string; file: string };
    if (!/^[0-9a-f]{6}$/.test(color)) throw errors.notFound();
    const stylesheet = brandedStylesheet(`#${color}`);
    if (stylesheet.path !== `/assets/${color}/${file}`) throw errors.notFound();
    return sendFile(reply, stylesheet);
  });
  app.get('/assets/logos/:companyId/:file', { schema: { hide: true } }, async (request, reply) => {
    const { companyId, file } = request.params as { companyId: string; file: string };
    if (!isCompanyId(companyId)) throw errors.notFound();
    const logo = await deps.db.inCompany(companyId, async (tx) => await findServedLogo(tx, file));
    if (!logo) throw errors.notFound();
    // Emails show it, and some mail programs are web pages of another site.
    void reply.headers({
      'content-security-policy': logoPolicy,
      'cross-origin-resource-policy': 'cross-origin',
    });
    return sendFile(reply, logo);
  });
}
