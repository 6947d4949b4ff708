// The frame of a section of the settings: its heading, whether it has unsaved changes, and how to save it.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { FormError } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { Badge } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useSettingsTexts } from './texts.ts';
import type { SectionState } from './use-section.ts';

type SectionFormProps = {
  title: string;
  hint?: ComponentChildren;
  section: SectionState<object>;
  /** The fields that show their own errors, by the API's names. */
  shown: readonly string[];
  children: ComponentChildren;
  /** Content beside the form. */
  beside?: ComponentChildren;
};

/** Focuses the first invalid field, once the page shows it. */
function focusFirstFault(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
}

/** A section with a form. */
export function SectionForm({ title, hint, section, shown, children, beside }: SectionFormProps) {
  const { save: saveWord } = useCommonTexts();
  const texts = useSettingsTexts();
  const form = useRef<HTMLFormElement>(null);
  const { isChanged, isWorking, fault, save, discard } = section;
  const mark = <span role="status">{isChanged && <Badge tone="busy">{texts.unsaved}</Badge>}</span>;
  return (
    <Section title={title} hint={hint} actions={mark}>
      <div class={beside ? 'settings-beside' : undefined}>
        <form
          ref={form}
          class="stack settings-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!save()) focusFirstFault(form.current);
          }}
        >
          <FormError fault={fault} shown={shown} />
          {children}
          <div class="actions">
            <Button type="submit" weight={isChanged ? 'main' : 'plain'} isWorking={isWorking}>
              {saveWord}
            </Button>
            {isChanged && (
              <Button weight="bare" onClick={discard}>
                {texts.discard}
              </Button>
            )}
          </div>
        </form>
        {beside}
      </div>
    </Section>
  );
}
