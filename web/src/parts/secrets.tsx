// Secrets that are shown once, such as API keys and webhook secrets, and how long an old one stays valid beside a
// new one. A secret is only in the memory of the page and must not be stored anywhere else.

import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { type FieldProps, SelectField } from './field.tsx';
import { useSecretTexts } from './secrets-texts.ts';
import { CodeLine } from './values.tsx';

type ShownOnceProps = {
  title: string;
  /** The name of the secret. */
  label: string;
  secret: string;
  /** What to do with it. */
  children?: ComponentChildren;
  onClose(): void;
};

/**
 * Shows a secret that can't be shown again. Escape does not close it, so that the secret is not lost by mistake.
 */
export function SecretShownOnce({ title, label, secret, children, onClose }: ShownOnceProps) {
  const texts = useSecretTexts();
  return (
    <Dialog title={title} isWide>
      <div class="stack">
        <p class="notice notice-busy">{texts.once}</p>
        <CodeLine label={label} text={secret} />
        {children}
        <div class="actions">
          <Button weight="main" onClick={onClose}>
            {texts.stored}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

const overlaps = ['0', '1', '24', '72', '168'] as const;
export type OverlapHours = (typeof overlaps)[number];

/** The default of the API. */
export const defaultOverlap: OverlapHours = '24';

/** How long the old secret stays valid beside the new one. */
export function OverlapField(props: Omit<FieldProps<OverlapHours>, 'label'>) {
  const texts = useSecretTexts();
  return (
    <SelectField
      {...props}
      label={texts.overlap}
      choices={overlaps.map((hours) => ({ value: hours, label: texts.overlaps[hours] }))}
    />
  );
}
