// Name, colour and logo, beside a preview of the page.

import { contrastToWhite, isReadable, readableShadeOf, readColor } from '../../base/contrast.ts';
import { useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { bindFields, type FieldProps, TextField } from '../../parts/field.tsx';
import { Badge } from '../../parts/values.tsx';
import { LogoFile } from './logo-files.tsx';
import { Preview } from './preview.tsx';
import { SectionForm, useSection } from './section-form.tsx';
import { useSettingsTexts } from './texts.ts';
import { brandingOf, type Company, changeOfBranding, validateBranding } from './values.ts';

const defaultColor = '#1849a9';

/** A ratio to two decimals, rounded down, so that an insufficient ratio never looks sufficient. */
const writeRatio = (language: string, ratio: number) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).format(Math.floor(ratio * 100) / 100);

function Contrast({ color, onTake }: { color: string; onTake(color: string): void }) {
  const { language } = useLanguage();
  const texts = useSettingsTexts();
  const isGood = isReadable(color);
  const shade = readableShadeOf(color);
  return (
    <div class="stack-small">
      <p role="status" class="actions">
        <span>{texts.contrast({ ratio: writeRatio(language, contrastToWhite(color)) })}</span>
        <Badge tone={isGood ? 'good' : 'bad'}>{isGood ? texts.readable : texts.poorlyReadable}</Badge>
      </p>
      {!isGood && (
        <p class="actions">
          <span class="quiet small">{texts.contrastNeeded}</span>
          <Button isSmall onClick={() => onTake(shade)}>
            <span class="color-dot" style={{ background: shade }} aria-hidden="true" />
            {texts.useShade({ color: shade })}
          </Button>
        </p>
      )}
    </div>
  );
}

function ColorField({ value, onInput, error }: Omit<FieldProps<string>, 'label'>) {
  const texts = useSettingsTexts();
  const read = value.trim() === '' ? defaultColor : readColor(value);
  return (
    <>
      <div class="field-line color-fields">
        <TextField
          label={texts.color}
          hint={texts.colorHint}
          error={error}
          value={value}
          onInput={onInput}
          maxLength={20}
          spellcheck={false}
          autoComplete="off"
        />
        <input
          type="color"
          aria-label={texts.colorPick}
          value={read ?? defaultColor}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </div>
      {read && <Contrast color={read} onTake={onInput} />}
    </>
  );
}

export function BrandingSection({ company }: { company: Company }) {
  const texts = useSettingsTexts();
  const section = useSection({
    name: 'look',
    saved: brandingOf(company),
    toChange: changeOfBranding,
    validate: validateBranding,
  });
  const { values, change, errors } = section;
  const field = bindFields(values, change, errors);
  return (
    <SectionForm
      title={texts.branding}
      hint={texts.brandingHint}
      section={section}
      shown={['name', 'branding.color']}
      beside={<Preview branding={values} />}
    >
      <TextField
        {...field('name')}
        label={texts.name}
        hint={texts.nameHint}
        autoComplete="organization"
        required
      />
      <ColorField {...field('color', 'branding.color')} />
      <LogoFile variant="light" company={company} />
      <LogoFile variant="dark" company={company} />
    </SectionForm>
  );
}
