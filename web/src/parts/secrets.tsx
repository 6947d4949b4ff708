// Secrets that are shown once, such as API keys and webhook secrets, and how long an old one stays valid beside a
// new one. A secret is only in the memory of the page and must not be stored anywhere else.

import type { ComponentChildren } from 'preact';
import { defineTexts } from '../texts/texts.ts';
import { OnceDialog } from './dialog.tsx';
import { type FieldProps, SelectField } from './field.tsx';
import { CodeLine } from './values.tsx';

const useSecretTexts = defineTexts('secrets');

type ShownOnceProps = {
  title: string;
  label: string;
  secret: string;
  children?: ComponentChildren;
  onClose(): void;
};

/** Shows a secret that can't be shown again. */
export function SecretShownOnce({ title, label, secret, children, onClose }: ShownOnceProps) {
  const texts = useSecretTexts();
  return (
    <OnceDialog title={title} action={texts.stored} isWide onClose={onClose}>
      <p class="notice notice-busy">{texts.once}</p>
      <CodeLine label={label} text={secret} />
      {children}
    </OnceDialog>
  );
}

const overlaps = ['0', '1', '24', '72', '168'] as const;
export type OverlapHours = (typeof overlaps)[number];

export const defaultOverlap: OverlapHours = '24';

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
