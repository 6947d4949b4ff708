// The routes of a company's data and branding.

import { principalOf, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { responses } from '../http/openapi.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import { type ChangedCompany, type CompanyDeps, changeCompany } from './change-company.ts';
import { identityOf } from './check-identity.ts';
import { darkLogoPath, logoPath } from './logo-paths.ts';
import { findSmallLogo } from './logo-store.ts';
import { CompanyChange, CompanyResponse } from './schema.ts';
import { findCompany } from './store.ts';

export type CompanyRouteDeps = CompanyDeps & { verifyCredentials: VerifyCredentials; baseUrl: string };

const secured = describeSecuredRoutes('company');

/** As the API returns it. `small` is the logo in the settings. */
export function presentCompany(
  { baseUrl }: Pick<CompanyRouteDeps, 'baseUrl'>,
  { company, logo: small }: ChangedCompany,
) {
  const { companyId, name, country, retryPolicy, loginMode, allowedOrigins, brandColor } = company;
  const branding = { color: brandColor, logo: small?.bytes.toString('base64') ?? null };
  const [path, darkPath] = [logoPath(company), darkLogoPath(company)];
  const logo = { url: path && `${baseUrl}${path}`, darkUrl: darkPath && `${baseUrl}${darkPath}` };
  const mail = {
    receipts: company.sendsReceipts,
    attachReceipts: company.attachesReceipts,
    notices: company.sendsNotices,
    noticeAddress: company.noticeAddress,
    replyTo: company.replyTo,
    reminderHours: company.reminderHours,
  };
  const identity = identityOf(company);
  return { companyId, name, country, branding, logo, identity, retryPolicy, loginMode, allowedOrigins, mail };
}

export function registerCompanyRoutes(app: HttpServer, deps: CompanyRouteDeps): void {
  app.get(
    '/v1/company',
    secured(deps, 'company:read', {
      operationId: 'getCompany',
      summary: 'Retrieve the company',
      response: responses(CompanyResponse),
    }),
    async (request) => {
      const { companyId } = principalOf(request);
      const [company, logo] = await deps.db.inCompany(companyId, async (tx) => [
        await findCompany(tx),
        await findSmallLogo(tx),
      ]);
      if (!company) throw new Error('the company of the caller does not exist');
      return presentCompany(deps, { company, logo });
    },
  );

  app.patch(
    '/v1/company',
    secured(deps, 'company:manage', {
      operationId: 'changeCompany',
      summary: 'Change the company. Missing fields stay unchanged',
      body: CompanyChange,
      response: responses(CompanyResponse),
    }),
    async (request) => {
      const caller = principalOf(request);
      return presentCompany(deps, await changeCompany(deps, caller, request.body));
    },
  );
}
