// The URLs of a company's logos: each has the hash of the file, so that browsers may keep it forever. Pure.

import type { Company } from './store.ts';

type WithLogos = Pick<Company, 'companyId' | 'logoHash' | 'logoFile' | 'darkLogoFile'>;

const pathOf = (companyId: string, fileName: string) => `/assets/logos/${companyId}/${fileName}`;

/** The logo on the pages: the uploaded file, else the small PNG in the settings. */
export function logoPath({ companyId, logoFile, logoHash }: WithLogos): string | null {
  const fileName = logoFile ?? (logoHash && `${logoHash}.png`);
  return fileName ? pathOf(companyId, fileName) : null;
}

/** Its variant on dark pages; null if the logo is shown there, too. */
export function darkLogoPath(company: WithLogos): string | null {
  const { companyId, darkLogoFile } = company;
  return darkLogoFile && logoPath(company) ? pathOf(companyId, darkLogoFile) : null;
}
