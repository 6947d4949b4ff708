// Serves a company's colour as a stylesheet, and its logo, which must be served as an image only.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { darken } from '../base/colour.ts';
import { errors } from '../base/errors.ts';
import { isCompanyId } from '../base/ids.ts';
import { type Company, findLogo } from '../companies/store.ts';
import type { Database } from '../db/database.ts';
import { type EncodedContent, sendEncoded } from '../http/content-encoding.ts';
import type { HttpServer } from '../http/http-server.ts';
import { type Asset, assetPaths, makeStylesheet } from './assets.ts';

/** The URLs of a page's files. A preview has no script. */
export type PageAssets = { css: string; js: string | null; icon: string; logo: string | null };

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

const logoPath = (companyId: string, hash: string) => `/assets/logos/${companyId}/${hash}.png`;

export function pageAssets(company: Company | null): PageAssets {
  const { css, js, icon } = assetPaths();
  if (!company) return { css, js, icon, logo: null };
  const { companyId, brandColor, logoHash } = company;
  return {
    css: brandColor ? brandedStylesheet(brandColor).path : css,
    js,
    icon,
    logo: logoHash ? logoPath(companyId, logoHash) : null,
  };
}

export function sendFile(request: FastifyRequest, reply: FastifyReply, file: EncodedContent): FastifyReply {
  void reply.header('cache-control', 'public, max-age=31536000, immutable');
  return sendEncoded(request, reply, file);
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
    const logo = isCompanyId(companyId) ? await deps.db.inCompany(companyId, findLogo) : null;
    if (!logo || file !== `${logo.hash}.png`) throw errors.notFound();
    const { bytes, hash } = logo;
    return sendFile(request, reply, { contentType: 'image/png', bodies: { identity: bytes }, hash });
  });
}
