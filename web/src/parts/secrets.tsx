// Secrets that are shown once, such as API keys and webhook secrets, and how long an old one stays valid beside a
// new one. A secret is only in the memory of the page and must not be stored anywhere else.

import type { ComponentChildren } from 'preact';
import { defineTexts } from '../base/language.tsx';
import { OnceDialog } from './dialog.tsx';
import { type FieldProps, SelectField } from './field.tsx';
import { CodeLine } from './values.tsx';

const useSecretTexts = defineTexts({
  once: [
    'This is shown only now. Copy it, and store it where only your programs can read it.',
    'Das wird nur jetzt angezeigt. Kopieren Sie es, und speichern Sie es so, dass nur Ihre Programme es lesen können.',
  ],
  stored: ['I have saved it', 'Ich habe es gespeichert'],
  overlap: ['Keep the old one valid for', 'Bisheriges bleibt gültig'],
  overlaps: {
    '0': ['no time: it ends immediately', 'nicht: endet sofort'],
    '1': ['1 hour', '1 Stunde'],
    '24': ['24 hours', '24 Stunden'],
    '72': ['3 days', '3 Tage'],
    '168': ['7 days', '7 Tage'],
  },
});

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
