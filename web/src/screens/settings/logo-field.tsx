// The company's logo: its image, how to choose another, and whether it was scaled down.

import { useId, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import type { FieldProps } from '../../parts/field.tsx';
import { smallerSizes } from './logo-sizes.ts';
import { useSettingsTexts } from './texts.ts';

const maxBytes = 8_000;
const maxPixels = 512;
/** Larger files are not read: the browser would have to hold all of it in memory. */
const maxFileBytes = 20_000_000;

type Size = { width: number; height: number };
type ReadLogo = { base64: string; isScaled: boolean };
type LogoError = 'notPng' | 'damaged' | 'tooLarge';

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

const bytesOf = (base64: string) => atob(base64).length;

async function drawPng(picture: ImageBitmap, { width, height }: Size): Promise<Uint8Array | null> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob ? new Uint8Array(await blob.arrayBuffer()) : null;
}

async function scaleDown(picture: ImageBitmap): Promise<ReadLogo | null> {
  for (const size of smallerSizes(picture, maxPixels)) {
    const bytes = await drawPng(picture, size);
    if (bytes && bytes.length <= maxBytes) return { base64: toBase64(bytes), isScaled: true };
  }
  return null;
}

/** The logo in a file, scaled down if needed, or why it can't be used. */
async function readLogo(file: Blob): Promise<ReadLogo | LogoError> {
  if (file.size > maxFileBytes) return 'tooLarge';
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!signature.every((byte, index) => bytes[index] === byte)) return 'notPng';
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' })).catch(() => null);
  if (!picture) return 'damaged';
  const fits = bytes.length <= maxBytes && Math.max(picture.width, picture.height) <= maxPixels;
  if (fits) return { base64: toBase64(bytes), isScaled: false };
  return (await scaleDown(picture)) ?? 'tooLarge';
}

const prefix = 'data:image/png;base64,';

export function LogoPicture({ logo }: { logo: string }) {
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
      {size && <p class="quiet small">{texts.logoSize({ ...size, bytes: bytesOf(logo) })}</p>}
    </div>
  );
}

type ResultText = 'logoScaled' | 'logoUnchanged' | 'logoRemoved';

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
