// The sections of the settings with a few fields each: payments, and emails.

import { countryChoices } from '../../base/countries.ts';
import { useLanguage } from '../../base/language.tsx';
import { bindFields, CheckField, SelectField, TextField } from '../../parts/field.tsx';
import { RadioField } from '../../parts/radio-field.tsx';
import { SectionForm } from './section-form.tsx';
import { useSettingsTexts } from './texts.ts';
import { useSection } from './use-section.ts';
import {
  type Company,
  changeOfEmailSettings,
  emailSettingsOf,
  payingOf,
  validateEmailSettings,
} from './values.ts';

const retryPolicies = ['none', 'fixable', 'all'] as const;
const loginModes = ['test', 'live'] as const;

/** Country, retries, and the mode of programs. */
export function PayingSection({ company }: { company: Company }) {
  const { language } = useLanguage();
  const texts = useSettingsTexts();
  const section = useSection({ name: 'paying', saved: payingOf(company), toChange: (changed) => changed });
  const field = bindFields(section.values, section.change, section.errors);
  return (
    <SectionForm title={texts.paying} section={section} shown={['country', 'retryPolicy', 'loginMode']}>
      <SelectField
        {...field('country')}
        label={texts.country}
        hint={texts.countryHint}
        choices={countryChoices(language)}
      />
      <RadioField
        {...field('retryPolicy')}
        label={texts.retryPolicy}
        hint={texts.retryHint}
        choices={retryPolicies.map((value) => {
          return { value, label: texts.retry[value], hint: texts.retryHints[value] };
        })}
      />
      <RadioField
        {...field('loginMode')}
        label={texts.loginMode}
        hint={texts.loginModeHint}
        choices={loginModes.map((value) => {
          return { value, label: texts.loginModes[value], hint: texts.loginModeHints[value] };
        })}
      />
    </SectionForm>
  );
}

const emailFields = ['mail.noticeAddress', 'mail.replyTo', 'mail.reminderHours'];

/** Who gets which email. */
export function EmailSection({ company }: { company: Company }) {
  const texts = useSettingsTexts();
  const section = useSection({
    name: 'mail',
    saved: emailSettingsOf(company),
    toChange: changeOfEmailSettings,
    validate: validateEmailSettings,
  });
  const field = bindFields(section.values, section.change, section.errors);
  const address = { isOptional: true, type: 'email', autoComplete: 'email' } as const;
  return (
    <SectionForm title={texts.emails} hint={texts.emailsHint} section={section} shown={emailFields}>
      <CheckField {...field('receipts')} label={texts.receipts} hint={texts.receiptsHint} />
      <CheckField {...field('notices')} label={texts.notices} hint={texts.noticesHint} />
      <TextField
        {...field('noticeAddress', 'mail.noticeAddress')}
        {...address}
        label={texts.noticeAddress}
        hint={texts.noticeAddressHint}
      />
      <TextField
        {...field('replyTo', 'mail.replyTo')}
        {...address}
        label={texts.replyTo}
        hint={texts.replyToHint}
      />
      <TextField
        {...field('reminderHours', 'mail.reminderHours')}
        label={texts.reminderHours}
        hint={texts.reminderHint}
        isOptional
        inputMode="numeric"
        autoComplete="off"
      />
    </SectionForm>
  );
}
