// The origins that customers may be sent back to, one per line.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { SectionForm, useSection } from './section-form.tsx';
import { useSettingsTexts } from './texts.ts';
import { type Company, normaliseOrigins, originsOf, toOrigin, validateOrigins } from './values.ts';

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
  const label = texts.origin(number);
  return (
    <li class="origin-line">
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
        aria-label={texts.removeOrigin(origin === '' ? label : origin)}
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

export function OriginsSection({ company }: { company: Company }) {
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
