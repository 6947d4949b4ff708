// The routes of a company's data and branding.

import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { responses, security } from '../http/openapi.ts';
import { checkRight } from '../http/roles.ts';
import { type CompanyDeps, changeCompany } from './change-company.ts';
import { CompanyChange, CompanyResponse } from './schema.ts';
import { type Company, findCompany, findLogo, type Logo } from './store.ts';

export type CompanyRouteDeps = CompanyDeps & { verifyCredentials: VerifyCredentials };

const common = { security, tags: ['company'] };

function presentCompany(company: Company, logo: Logo | null) {
  const { companyId, name, country, retryPolicy, loginMode, allowedOrigins, brandColor } = company;
  const branding = { color: brandColor, logo: logo?.bytes.toString('base64') ?? null };
  const mail = {
    receipts: company.sendsReceipts,
    attachReceipts: company.attachesReceipts,
    notices: company.sendsNotices,
    noticeAddress: company.noticeAddress,
    replyTo: company.replyTo,
    reminderHours: company.reminderHours,
  };
  return { companyId, name, country, branding, retryPolicy, loginMode, allowedOrigins, mail };
}

export function registerCompanyRoutes(app: HttpServer, deps: CompanyRouteDeps): void {
  const credentials = requireCredentials(deps.verifyCredentials);

  app.get(
    '/v1/company',
    {
      onRequest: [credentials, checkRight('company:read')],
      schema: {
        ...common,
        operationId: 'getCompany',
        summary: 'Retrieve the company',
        response: responses(CompanyResponse, ['roleNotAllowed']),
      },
    },
    async (request) => {
      const { companyId } = principalOf(request);
      const [company, logo] = await deps.db.inCompany(companyId, async (tx) => [
        await findCompany(tx),
        await findLogo(tx),
      ]);
      if (!company) throw new Error('the company of the caller does not exist');
      return presentCompany(company, logo);
    },
  );

  app.patch(
    '/v1/company',
    {
      onRequest: [credentials, checkRight('company:manage')],
      schema: {
        ...common,
        operationId: 'changeCompany',
        summary: 'Change the company. Missing fields stay unchanged',
        body: CompanyChange,
        response: responses(CompanyResponse, ['roleNotAllowed', 'noKeyOfMode', 'invalidFields']),
      },
    },
    async (request) => {
      const caller = principalOf(request);
      const { company, logo } = await changeCompany(deps, caller, request.body);
      return presentCompany(company, logo);
    },
  );
}
