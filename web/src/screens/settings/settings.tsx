// The company's data and the branding of its payment pages. Each section is saved separately. Members who may not
// change the company see the same data, read-only.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { countryChoices } from '../../base/countries.ts';
import { useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { bindFields, CheckField, RadioField, SelectField, TextField } from '../../parts/field.tsx';
import { Page, QueryContent } from '../../parts/page.tsx';
import { BrandingSection } from './branding-section.tsx';
import { CompanyFacts } from './company-facts.tsx';
import { IdentitySection } from './identity-section.tsx';
import { SectionForm, useSection } from './section-form.tsx';
import { TestClockSection } from './test-clock-section.tsx';
import { useSettingsTexts } from './texts.ts';
import {
  type Company,
  changeOfEmailSettings,
  emailSettingsOf,
  normaliseOrigins,
  originsOf,
  payingOf,
  toOrigin,
  validateEmailSettings,
  validateOrigins,
} from './values.ts';
import './settings.css';

const maxOrigins = 20;

type LineProps = {
  number: number;
  origin: string;
  error: string | undefined;
  onInput(origin: string): void;
  onRemove(): void;
};

function Line({ number, origin, error, onInput, onRemove }: LineProps) {
  const texts = useSettingsTexts();
  const label = texts.origin({ number });
  return (
    <li class="field-line">
      <TextField
        label={label}
        error={error}
        type="url"
        inputMode="url"
        placeholder="https://shop.example"
        autoComplete="off"
        spellcheck={false}
        maxLength={255}
        value={origin}
        onInput={onInput}
        onBlur={() => toOrigin(origin) !== origin && onInput(toOrigin(origin))}
      />
      <button
        type="button"
        class="icon-button"
        aria-label={texts.removeOrigin({ origin: origin === '' ? label : origin })}
        onClick={onRemove}
      >
        ✕
      </button>
    </li>
  );
}

/** Focuses the last line once it is rendered, or the button below the lines. */
function useFocusAfter() {
  const box = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<'line' | 'button' | null>(null);
  // At once, so that early typing does not go elsewhere.
  useLayoutEffect(() => {
    if (!wanted) return;
    const found = box.current?.querySelectorAll<HTMLElement>(
      wanted === 'line' ? 'li input' : '.origin-add button',
    );
    found?.item(found.length - 1)?.focus();
    setWanted(null);
  }, [wanted]);
  return { box, focus: setWanted };
}

function OriginsSection({ company }: { company: Company }) {
  const texts = useSettingsTexts();
  const section = useSection({
    name: 'origins',
    saved: originsOf(company),
    toChange: (changed) => changed,
    normalise: normaliseOrigins,
    validate: validateOrigins,
  });
  const { box, focus } = useFocusAfter();
  const [status, setStatus] = useState('');
  const { change, errors } = section;
  const { allowedOrigins: lines } = section.values;
  const shown = lines.map((_, index) => `allowedOrigins.${index}`);
  const put = (next: string[], status: string) => {
    change({ allowedOrigins: next });
    setStatus(status);
  };
  return (
    <SectionForm title={texts.origins} hint={texts.originsHint} section={section} shown={shown}>
      <div ref={box} class="stack">
        {lines.length === 0 && <p class="notice">{texts.anyOrigin}</p>}
        <ul class="stack">
          {lines.map((origin, index) => (
            <Line
              // A line is identified by its index, because its text is being edited.
              key={index}
              number={index + 1}
              origin={origin}
              error={errors[`allowedOrigins.${index}`]}
              onInput={(next) => put(lines.with(index, next), '')}
              onRemove={() => {
                put(lines.toSpliced(index, 1), texts.removed);
                focus('button');
              }}
            />
          ))}
        </ul>
        <div class="actions origin-add">
          {lines.length < maxOrigins ? (
            <Button
              onClick={() => {
                put([...lines, ''], '');
                focus('line');
              }}
            >
              {texts.addOrigin}
            </Button>
          ) : (
            <p class="quiet">{texts.fullOrigins}</p>
          )}
          <span role="status" class="quiet small">
            {status}
          </span>
        </div>
      </div>
    </SectionForm>
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
    <SectionForm
      title={texts.screens.payments}
      section={section}
      shown={['country', 'retryPolicy', 'loginMode']}
    >
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
      <CheckField {...field('attachReceipts')} label={texts.attachReceipts} hint={texts.attachReceiptsHint} />
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
  const { may, mode } = useSession();
  const texts = useSettingsTexts();
  const company = useApiQuery('getCompany', {});
  return (
    <Page title={texts.screens.settings}>
      <QueryContent result={company} rows={8}>
        {(known) =>
          may('company:manage') ? (
            <>
              <BrandingSection company={known} />
              <IdentitySection company={known} />
              <PayingSection company={known} />
              <OriginsSection company={known} />
              <EmailSection company={known} />
            </>
          ) : (
            <CompanyFacts company={known} />
          )
        }
      </QueryContent>
      {mode === 'test' && <TestClockSection />}
    </Page>
  );
}
