// The sections of the settings with a few fields each: payments, and emails.

import { countryChoices } from '../../base/countries.ts';
import { useLanguage } from '../../base/language.tsx';
import { CheckField, SelectField, TextField } from '../../parts/field.tsx';
import { RadioField } from '../../parts/radio-field.tsx';
import { SectionForm } from './section-form.tsx';
import { useSettingsTexts } from './texts.ts';
import { useSection } from './use-section.ts';
import { type Company, changeOfMail, mailOf, payingOf, validateEmailSettings } from './values.ts';

const retryPolicies = ['none', 'fixable', 'all'] as const;
const loginModes = ['test', 'live'] as const;

/** Country, retries, and the mode of programs. */
export function PayingSection({ company }: { company: Company }) {
  const { language } = useLanguage();
  const texts = useSettingsTexts();
  const section = useSection({
    name: 'paying',
    saved: payingOf(company),
    toChange: (changed) => changed,
  });
  const { values, change, errors } = section;
  return (
    <SectionForm title={texts.paying} section={section} shown={['country', 'retryPolicy', 'loginMode']}>
      <SelectField
        label={texts.country}
        hint={texts.countryHint}
        error={errors.country}
        value={values.country}
        onInput={(country) => change({ country })}
        choices={countryChoices(language)}
      />
      <RadioField
        label={texts.retryPolicy}
        hint={texts.retryHint}
        error={errors.retryPolicy}
        value={values.retryPolicy}
        onInput={(retryPolicy) => change({ retryPolicy })}
        choices={retryPolicies.map((value) => ({
          ...{ value, label: texts.retry[value], hint: texts.retryHints[value] },
        }))}
      />
      <RadioField
        label={texts.loginMode}
        hint={texts.loginModeHint}
        error={errors.loginMode}
        value={values.loginMode}
        onInput={(loginMode) => change({ loginMode })}
        choices={loginModes.map((value) => ({
          ...{ value, label: texts.loginModes[value], hint: texts.loginModeHints[value] },
        }))}
      />
    </SectionForm>
  );
}

const mailFields = ['mail.noticeAddress', 'mail.replyTo', 'mail.reminderHours'];

/** Who gets which email. */
export function MailSection({ company }: { company: Company }) {
  const texts = useSettingsTexts();
  const section = useSection({
    name: 'mail',
    saved: mailOf(company),
    toChange: changeOfMail,
    findFaults: validateEmailSettings,
  });
  const { values, change, errors } = section;
  return (
    <SectionForm title={texts.mail} hint={texts.mailHint} section={section} shown={mailFields}>
      <CheckField
        label={texts.receipts}
        hint={texts.receiptsHint}
        isOn={values.receipts}
        onInput={(receipts) => change({ receipts })}
      />
      <CheckField
        label={texts.notices}
        hint={texts.noticesHint}
        isOn={values.notices}
        onInput={(notices) => change({ notices })}
      />
      <TextField
        label={texts.noticeAddress}
        hint={texts.noticeAddressHint}
        error={errors['mail.noticeAddress']}
        isOptional
        type="email"
        autoComplete="email"
        value={values.noticeAddress}
        onInput={(noticeAddress) => change({ noticeAddress })}
      />
      <TextField
        label={texts.replyTo}
        hint={texts.replyToHint}
        error={errors['mail.replyTo']}
        isOptional
        type="email"
        autoComplete="email"
        value={values.replyTo}
        onInput={(replyTo) => change({ replyTo })}
      />
      <TextField
        label={texts.reminderHours}
        hint={texts.reminderHint}
        error={errors['mail.reminderHours']}
        isOptional
        inputMode="numeric"
        autoComplete="off"
        value={values.reminderHours}
        onInput={(reminderHours) => change({ reminderHours })}
      />
    </SectionForm>
  );
}
