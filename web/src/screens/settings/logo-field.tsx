// The company's logo: its image, how to choose another, and whether it was scaled down.

import { useId, useState } from 'preact/hooks';
import { formatCount } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import type { FieldProps } from '../../parts/field.tsx';
import { bytesOf, type LogoError, readLogo, type Size } from './logo.ts';
import { useSettingsTexts } from './texts.ts';

const prefix = 'data:image/png;base64,';

/** The logo on its background, with its size. */
export function LogoPicture({ logo }: { logo: string }) {
  const { language } = useLanguage();
  const texts = useSettingsTexts();
  const [size, setSize] = useState<Size | null>(null);
  return (
    <div class="row logo-picture">
      <img
        src={prefix + logo}
        alt={texts.logoAlt}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize({ width: naturalWidth, height: naturalHeight })
        }
      />
      {size && (
        <p class="quiet small">
          {texts.logoSize(size.width, size.height, formatCount(language, bytesOf(logo)))}
        </p>
      )}
    </div>
  );
}

type ResultText = 'logoScaled' | 'logoUnchanged' | 'logoRemoved';

/** Reads a chosen file, and stores the result. */
function useChosen(onInput: (logo: string) => void) {
  const [result, setResult] = useState<ResultText | null>(null);
  const [fault, setFault] = useState<LogoError | null>(null);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const read = await readLogo(file);
    setFault(typeof read === 'string' ? read : null);
    if (typeof read === 'string') return setResult(null);
    setResult(read.isScaled ? 'logoScaled' : 'logoUnchanged');
    onInput(read.base64);
  };
  const remove = () => {
    setFault(null);
    setResult('logoRemoved');
    onInput('');
  };
  return { result, fault, choose, remove };
}

/** The field. The value is a PNG in base64, or an empty text. */
export function LogoField({ value, onInput, error }: Omit<FieldProps<string>, 'label'>) {
  const id = useId();
  const texts = useSettingsTexts();
  const { result, fault, choose, remove } = useChosen(onInput);
  const message = fault ? texts.logoFaults[fault] : error;
  return (
    <fieldset class={message ? 'field field-wrong' : 'field'}>
      <legend>{texts.logo}</legend>
      {value === '' ? <p class="quiet">{texts.noLogo}</p> : <LogoPicture key={value} logo={value} />}
      <div class="actions file-choice">
        <input
          id={id}
          class="unseen"
          type="file"
          accept="image/png"
          aria-invalid={message ? true : undefined}
          aria-describedby={`${id}-hint ${id}-result`}
          onChange={(event) => {
            const input = event.currentTarget;
            // Lets the same file be chosen again.
            void choose(input.files?.[0]).finally(() => {
              input.value = '';
            });
          }}
        />
        <label for={id} class="button button-plain">
          {value === '' ? texts.chooseLogo : texts.chooseOtherLogo}
        </label>
        {value !== '' && <Button onClick={remove}>{texts.removeLogo}</Button>}
      </div>
      <p id={`${id}-result`} role="status" class={message ? 'field-error' : 'field-hint'}>
        {message ?? (result && texts[result])}
      </p>
      <p id={`${id}-hint`} class="field-hint">
        {texts.logoHint}
      </p>
    </fieldset>
  );
}
