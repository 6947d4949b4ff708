// Uploads and deletes a company's logo: a PNG or an SVG of its own, and a variant for dark pages. A refused file changes
// nothing, and nothing of it is stored.

import { errors, type FieldError } from '../base/errors.ts';
import type { TenantTx } from '../db/database.ts';
import type { Principal } from '../http/authentication.ts';
import { type ChangedCompany, type CompanyDeps, changeStoredCompany } from './change-company.ts';
import {
  deleteLogoFiles,
  type LogoNames,
  type LogoType,
  type LogoVariant,
  replaceLogoFile,
} from './logo-store.ts';
import { readPngSize } from './png.ts';

/** The browser keeps the file forever, so it may be larger than the rest of a page. */
export const maxLogoFileBytes = 100_000;
/** Per side: a PDF of a receipt draws no larger picture. */
export const maxLogoFilePixels = 1_024;

type FileError = Omit<FieldError, 'field'>;

function refuseFile(fault: FileError): never {
  throw errors.invalidFields({ errors: [{ field: 'body', ...fault }] });
}

/** Throws `body_too_large` for a file of this length. */
export function refuseLargeFile(bytes: number | null): never {
  const size = bytes === null ? '' : `The file has ${bytes} bytes. `;
  throw errors.bodyTooLarge({
    detail: `${size}A logo may have at most ${maxLogoFileBytes} bytes. Simplify it, or scale it down.`,
  });
}

function checkPng(bytes: Buffer): Buffer {
  const size = readPngSize(bytes);
  if (!size) refuseFile({ code: 'wrong_format', detail: 'The body must be a complete PNG file.' });
  const { width, height } = size;
  if (Math.min(width, height) >= 1 && Math.max(width, height) <= maxLogoFilePixels) return bytes;
  return refuseFile({
    code: 'too_large',
    detail: `The picture has ${width} × ${height} pixels. The maximum is ${maxLogoFilePixels} × ${maxLogoFilePixels}.`,
  });
}

async function cleanSvg(bytes: Buffer): Promise<Buffer> {
  const [{ sanitiseSvg }, { SvgError }] = await Promise.all([
    import('./sanitise-svg.ts'),
    import('./svg-rules.ts'),
  ]);
  try {
    return sanitiseSvg(bytes);
  } catch (error) {
    if (!(error instanceof SvgError)) throw error;
    return refuseFile({ code: 'not_allowed', detail: error.message });
  }
}

/** The file as it is stored: a PNG as it was sent, an SVG rewritten. */
async function readFile(contentType: LogoType, bytes: Buffer): Promise<Buffer> {
  if (bytes.length > maxLogoFileBytes) refuseLargeFile(bytes.length);
  const content = contentType === 'image/png' ? checkPng(bytes) : await cleanSvg(bytes);
  if (content.length > maxLogoFileBytes)
    refuseFile({
      code: 'too_large',
      detail: `The file has ${content.length} bytes after it was rewritten. The maximum is ${maxLogoFileBytes}.`,
    });
  return content;
}

async function changeFiles(
  deps: CompanyDeps,
  caller: Principal,
  write: (tx: TenantTx) => Promise<LogoNames>,
): Promise<ChangedCompany> {
  return await changeStoredCompany(deps, caller, async (tx, before) => ({ ...before, ...(await write(tx)) }));
}

/** Throws `invalid_fields` or `body_too_large`. */
export async function uploadLogo(
  deps: CompanyDeps,
  caller: Principal,
  { variant, contentType, bytes }: { variant: LogoVariant; contentType: LogoType; bytes: Buffer },
): Promise<ChangedCompany> {
  const content = await readFile(contentType, bytes);
  return await changeFiles(
    deps,
    caller,
    async (tx) => await replaceLogoFile(tx, { variant, contentType, content }),
  );
}

/** Without the light variant no page shows the dark one, so they are deleted together. */
export async function deleteLogo(
  deps: CompanyDeps,
  caller: Principal,
  variant: LogoVariant,
): Promise<ChangedCompany> {
  const variants: readonly LogoVariant[] = variant === 'dark' ? ['dark'] : ['light', 'dark'];
  return await changeFiles(deps, caller, async (tx) => await deleteLogoFiles(tx, variants));
}
