// The company's logo: its image, how to choose another, and whether it was scaled down.

import { useId, useState } from 'preact/hooks';
import { formatCount } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { bytesOf, type LogoError, readLogo, type Size } from './logo.ts';
import { useSettingsTexts } from './texts.ts';

const prefix = 'data:image/png;base64,';

/** The logo on its background, with its size. */
export function LogoPicture({ logo }: { logo: string }) {
  const { language } = useLanguage();
  const texts = useSettingsTexts();
  const [size, setSize] = useState<Size | null>(null);
  return (
    <div class="logo-picture">
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

type Said = 'logoScaled' | 'logoTaken' | 'logoRemoved';

/** Reads a chosen file, and stores its message. */
function useChosen(onInput: (logo: string) => void) {
  const [said, setSaid] = useState<Said | null>(null);
  const [fault, setFault] = useState<LogoError | null>(null);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const read = await readLogo(file);
    setFault(typeof read === 'string' ? read : null);
    if (typeof read === 'string') return setSaid(null);
    setSaid(read.isScaled ? 'logoScaled' : 'logoTaken');
    onInput(read.base64);
  };
  const remove = () => {
    setFault(null);
    setSaid('logoRemoved');
    onInput('');
  };
  return { said, fault, choose, remove };
}

export type LogoFieldProps = {
  /** A PNG in base64, or an empty text. */
  value: string;
  onInput(logo: string): void;
  error: string | undefined;
};

/** The field. */
export function LogoField({ value, onInput, error }: LogoFieldProps) {
  const id = useId();
  const texts = useSettingsTexts();
  const { said, fault, choose, remove } = useChosen(onInput);
  const wrong = fault ? texts.logoFaults[fault] : error;
  return (
    <fieldset class={wrong ? 'field field-wrong' : 'field'}>
      <legend>{texts.logo}</legend>
      {value === '' ? <p class="quiet">{texts.noLogo}</p> : <LogoPicture key={value} logo={value} />}
      <div class="actions file-choice">
        <input
          id={id}
          class="unseen"
          type="file"
          accept="image/png"
          aria-invalid={wrong ? true : undefined}
          aria-describedby={`${id}-hint ${id}-said`}
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
      <p id={`${id}-said`} role="status" class={wrong ? 'field-error' : 'field-hint'}>
        {wrong ?? (said && texts[said])}
      </p>
      <p id={`${id}-hint`} class="field-hint">
        {texts.logoHint}
      </p>
    </fieldset>
  );
}
