// Serves a company's colour as a stylesheet, and its logo, which must be served as an image only.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { darken, readableShade } from '../base/colour.ts';
import { errors } from '../base/errors.ts';
import { isCompanyId } from '../base/ids.ts';
import { darkLogoPath, logoPath } from '../companies/logo-paths.ts';
import { findLogoFile, findSmallLogo } from '../companies/logo-store.ts';
import type { Company } from '../companies/store.ts';
import type { Database, TenantTx } from '../db/database.ts';
import { type EncodedContent, sendEncoded } from '../http/content-encoding.ts';
import type { HttpServer } from '../http/http-server.ts';
import { type Asset, assetBody, assetPaths, makeStylesheet } from './assets.ts';

/** The URLs of a page's files. A preview has no script. */
export type PageAssets = {
  css: string;
  js: string | null;
  icon: string;
  logo: string | null;
  /** Shown instead of the logo on dark pages; null: the logo itself. */
  darkLogo: string | null;
  /** The width of the logo per 1,000 of its height; null if it is unknown. */
  logoRatio: number | null;
};

/** The button colour of a company without its own, as in assets/checkout.css. */
export const defaultColor = '#1849a9';

const hoverBrightness = 0.85;

/** WCAG 2.2, level AA, for text. Lines need less. */
const minContrast = 4.5;

/** What links, secondary buttons and marks are drawn on. */
const grounds = ['card', 'page', 'field', 'quiet'] as const;

/** The backgrounds of assets/checkout.css: the first value of each is that of light pages, the second that of dark ones. */
function readGrounds(css: string): { light: string[]; dark: string[] } {
  const values = grounds.map((name) =>
    [...css.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, 'g'))].map(([, value = '']) => value),
  );
  const [light, dark] = [0, 1].map((at) => values.map((own) => own[at] ?? ''));
  if (!light || !dark || [...light, ...dark].includes(''))
    throw new Error('a background is missing in checkout.css');
  return { light, dark };
}

const onPages = readGrounds(assetBody('css'));

// The contrast of white on the colour was checked when the company chose it (companies/check-company.ts), and a darker
// shade only increases it. On a dark page, the border separates a dark button from the card. Links, marks and the focus ring
// are drawn on the page itself, in a shade that is readable there.
function brandRules(color: string): string {
  const strong = darken(color, hoverBrightness);
  const light = readableShade(color, onPages.light, minContrast);
  const dark = readableShade(color, onPages.dark, minContrast);
  return `:root{--accent:${light};--ring:${light}}
.button:not(.quiet){--accent:${color};--accent-strong:${strong};--on-accent:#ffffff}
@media (prefers-color-scheme:dark){:root{--accent:${dark};--ring:${dark}}
.button:not(.quiet){border-color:var(--field-edge)}}
`;
}

/** Recently used stylesheets: every page of a company needs the hash of its own. */
const stylesheets = new LRUCache<string, Asset>({ max: 200 });

/** The stylesheet of the pages of a company with this colour. */
export function brandedStylesheet(color: string): Asset {
  const known = stylesheets.get(color);
  if (known) return known;
  const stylesheet = makeStylesheet({ folder: color.slice(1), more: brandRules(color) });
  stylesheets.set(color, stylesheet);
  return stylesheet;
}

export function pageAssets(company: Company | null): PageAssets {
  const { css, js, icon } = assetPaths();
  if (!company) return { css, js, icon, logo: null, darkLogo: null, logoRatio: null };
  const { brandColor } = company;
  return {
    css: brandColor ? brandedStylesheet(brandColor).path : css,
    js,
    icon,
    logo: logoPath(company),
    darkLogo: darkLogoPath(company),
    logoRatio: company.logoRatio,
  };
}

export function sendFile(request: FastifyRequest, reply: FastifyReply, file: EncodedContent): FastifyReply {
  void reply.header('cache-control', 'public, max-age=31536000, immutable');
  return sendEncoded(request, reply, file);
}

/** The policy of a logo that is opened as a page of its own: it runs nothing and loads nothing. */
const logoPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The uploaded file of this name, or the small PNG in the settings. */
async function findServedLogo(tx: TenantTx, file: string): Promise<EncodedContent | null> {
  const stored = await findLogoFile(tx, file);
  if (stored)
    return { contentType: stored.contentType, bodies: { identity: stored.content }, hash: stored.fileName };
  const small = await findSmallLogo(tx);
  if (!small || file !== `${small.hash}.png`) return null;
  return { contentType: 'image/png', bodies: { identity: small.bytes }, hash: small.hash };
}

export function registerBranding(app: HttpServer, deps: { db: Database }): void {
  app.get('/assets/:color/:file', { schema: { hide: true } }, async (request, reply) => {
    const { color, file } = request.params as { color: string; file: string };
    if (!/^[0-9a-f]{6}$/.test(color)) throw errors.notFound();
    const stylesheet = brandedStylesheet(`#${color}`);
    if (stylesheet.path !== `/assets/${color}/${file}`) throw errors.notFound();
    return sendFile(request, reply, stylesheet);
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
    return sendFile(request, reply, logo);
  });
}
