// The settings for members who may read them and not change them.

import { formatCountry } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useIdentityTexts } from './identity-texts.ts';
import { LogoImage, pathOfLogo } from './logo-files.tsx';
import { Preview } from './preview.tsx';
import { useSettingsTexts } from './texts.ts';
import { brandingOf, type Company, identityNames, identityOf, logoUrlsOf } from './values.ts';

function BrandingFacts({ company }: { company: Company }) {
  const texts = useSettingsTexts();
  const ours = useIdentityTexts();
  const { name, branding } = company;
  const logo = logoUrlsOf(company);
  const [light, dark] = [pathOfLogo(logo.light), pathOfLogo(logo.dark)];
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
            [ours.logos.light, light ? <LogoImage path={light} variant="light" /> : ours.noLogos.light],
            [ours.logos.dark, dark ? <LogoImage path={dark} variant="dark" /> : ours.noLogos.dark],
          ]}
        />
        <Preview branding={brandingOf(company)} />
      </div>
    </Section>
  );
}

function IdentityFacts({ company }: { company: Company }) {
  const texts = useIdentityTexts();
  const identity = identityOf(company);
  return (
    <Section title={texts.identity}>
      <Facts
        items={identityNames.map((name) => {
          const value = identity[name];
          return [texts[name], value ? <bdi class="lines">{value}</bdi> : texts.notGiven];
        })}
      />
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
      <IdentityFacts company={company} />
      <EmailFacts mail={company.mail} />
    </>
  );
}
