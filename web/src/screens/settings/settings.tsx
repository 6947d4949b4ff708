// The company's data and the branding of its payment pages. Each section is saved separately. Members who may not
// change the company see the same data, read-only.

import { useId } from 'preact/hooks';
import { useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { countryChoices } from '../../base/countries.ts';
import { useLanguage } from '../../base/language.tsx';
import {
  bindFields,
  CheckField,
  type Choice,
  type FieldProps,
  Option,
  SelectField,
  TextField,
} from '../../parts/field.tsx';
import { Page, QueryContent } from '../../parts/page.tsx';
import { BrandingSection } from './branding-section.tsx';
import { CompanyFacts } from './company-facts.tsx';
import { OriginsSection } from './origins-section.tsx';
import { SectionForm, useSection } from './section-form.tsx';
import { useSettingsTexts } from './texts.ts';
import {
  type Company,
  changeOfEmailSettings,
  emailSettingsOf,
  payingOf,
  validateEmailSettings,
} from './values.ts';
import './settings.css';

type RadioFieldProps<Value extends string> = FieldProps<Value> & {
  choices: readonly (Choice<Value> & { hint: string })[];
};

function RadioField<Value extends string>(props: RadioFieldProps<Value>) {
  const { label, hint, error, value, onInput, choices } = props;
  const id = useId();
  return (
    <fieldset class="field radios" aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend>{label}</legend>
      {hint && (
        <p id={`${id}-hint`} class="field-hint">
          {hint}
        </p>
      )}
      {choices.map((choice) => (
        <Option
          key={choice.value}
          {...choice}
          id={`${id}-${choice.value}`}
          type="radio"
          name={id}
          value={choice.value === value}
          onChange={() => onInput(choice.value)}
        />
      ))}
      {error && <p class="field-error">{error}</p>}
    </fieldset>
  );
}

const retryPolicies = ['none', 'fixable', 'all'] as const;
const loginModes = ['test', 'live'] as const;

function PayingSection({ company }: { company: Company }) {
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

function EmailSection({ company }: { company: Company }) {
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
