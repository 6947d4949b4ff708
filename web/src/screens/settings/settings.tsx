// The company's data and the branding of its payment pages. Each section is saved separately. Members who may not
// change the company see the same data, read-only.

import { useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Page } from '../../parts/page.tsx';
import { QueryContent } from '../../parts/states.tsx';
import { BrandingSection } from './branding-section.tsx';
import { CompanyFacts } from './company-facts.tsx';
import { OriginsSection } from './origins-section.tsx';
import { EmailSection, PayingSection } from './other-sections.tsx';
import { useSettingsTexts } from './texts.ts';
import './settings.css';

/** The screen. */
export default function Settings() {
  const { may } = useSession();
  const texts = useSettingsTexts();
  const company = useApiQuery('getCompany', {});
  return (
    <Page title={texts.title}>
      <QueryContent result={company} rows={8}>
        {(known) =>
          may('company:manage') ? (
            <>
              <BrandingSection company={known} />
              <PayingSection company={known} />
              <OriginsSection company={known} />
              <EmailSection company={known} />
            </>
          ) : (
            <CompanyFacts company={known} />
          )
        }
      </QueryContent>
    </Page>
  );
}
