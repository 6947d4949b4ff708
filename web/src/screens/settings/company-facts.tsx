// The settings for members who may read them and not change them.

import { formatCountry } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { LogoPicture } from './logo-field.tsx';
import { Preview } from './preview.tsx';
import { useSettingsTexts } from './texts.ts';
import { brandingOf, type Company } from './values.ts';

function BrandingFacts({ company }: { company: Company }) {
  const texts = useSettingsTexts();
  const { name, branding } = company;
  const color = branding.color && (
    <span class="actions">
      <span class="color-dot" style={{ background: branding.color }} aria-hidden="true" />
      {branding.color}
    </span>
  );
  return (
    <Section title={texts.branding}>
      <div class="settings-beside">
        <Facts
          items={[
            [texts.name, <bdi key="name">{name}</bdi>],
            [texts.color, color ?? texts.defaultColor],
            [texts.logo, branding.logo ? <LogoPicture logo={branding.logo} /> : texts.noLogo],
          ]}
        />
        <Preview branding={brandingOf(company)} />
      </div>
    </Section>
  );
}

function EmailFacts({ mail }: Pick<Company, 'mail'>) {
  const texts = useSettingsTexts();
  const { yes, no } = useCommonTexts();
  const { receipts, attachReceipts, notices, noticeAddress, replyTo, reminderHours } = mail;
  return (
    <Section title={texts.emails}>
      <Facts
        items={[
          [texts.receipts, receipts ? yes : no],
          [texts.attachReceipts, attachReceipts ? yes : no],
          [texts.notices, notices ? yes : no],
          [texts.noticeAddress, noticeAddress ? <bdi>{noticeAddress}</bdi> : texts.toOwner],
          [texts.replyTo, replyTo ? <bdi>{replyTo}</bdi> : texts.noReplyTo],
          [
            texts.reminderHours,
            reminderHours === null ? texts.never : texts.reminderBefore({ count: reminderHours }),
          ],
        ]}
      />
    </Section>
  );
}

export function CompanyFacts({ company }: { company: Company }) {
  const { language } = useLanguage();
  const texts = useSettingsTexts();
  const { allowedOrigins } = company;
  return (
    <>
      <p class="notice">{texts.readOnly}</p>
      <BrandingFacts company={company} />
      <Section title={texts.screens.payments}>
        <Facts
          items={[
            [texts.country, formatCountry(language, company.country)],
            [texts.retryPolicy, texts.retry[company.retryPolicy]],
            [texts.loginMode, texts.loginModes[company.loginMode]],
          ]}
        />
      </Section>
      <Section title={texts.origins}>
        {allowedOrigins.length === 0 ? (
          <p>{texts.anyOrigin}</p>
        ) : (
          <ul>
            {allowedOrigins.map((origin) => (
              <li key={origin}>
                <bdi>{origin}</bdi>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <EmailFacts mail={company.mail} />
    </>
  );
}
