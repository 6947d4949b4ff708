// The frame of a section of the settings: its heading, whether it has unsaved changes, and how to save it.

import { useQueryClient } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApiMutation } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { readStoredDraft, writeStoredDraft } from '../../base/storage.ts';
import { Button } from '../../parts/button.tsx';
import { FormError } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { Badge } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import { useSettingsTexts } from './texts.ts';
import type { Change, Company, Faults } from './values.ts';

type SectionOptions<Values extends object> = {
  name: string;
  saved: Values;
  toChange(changed: Partial<Values>): Change;
  /** Normalises the typed values, as they would be saved. */
  normalise?(values: Values): Values;
  validate?(values: Values): Faults;
};

type SectionState<Values extends object> = {
  values: Values;
  change(part: Partial<Values>): void;
  isChanged: boolean;
  isWorking: boolean;
  fault: unknown;
  /** A sentence for each invalid field, by the API's name of it. */
  errors: Readonly<Record<string, string>>;
  /** False if nothing was sent, because a value is invalid. */
  save(): boolean;
  discard(): void;
};

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The entries of `part` that differ from those of `whole`. */
function differing<Values extends object>(part: Partial<Values>, whole: Partial<Values>): Partial<Values> {
  const entries = Object.entries(part) as [keyof Values, unknown][];
  const changed = entries.filter(([name, value]) => !isSame(value, whole[name]));
  return Object.fromEntries(changed) as Partial<Values>;
}

/** Has the browser warn before the page is left. */
function useWarning(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);
}

/** The unsaved edits, stored while this tab is open. */
function useEdits<Values extends object>(name: string, saved: Values) {
  const { session } = useSession();
  const key = `settings.${session.companyId}.${session.accountId}.${name}`;
  const [edits, setEdits] = useState(() => {
    const stored = Object.entries(readStoredDraft<Partial<Values>>(key) ?? {});
    // An older version may have stored other fields.
    return Object.fromEntries(stored.filter(([field]) => field in saved)) as Partial<Values>;
  });
  const changed = differing(edits, saved);
  const isChanged = Object.keys(changed).length > 0;
  useEffect(() => writeStoredDraft(key, isChanged ? changed : null), [key, edits, saved]);
  useWarning(isChanged);
  return { edits, setEdits, changed, isChanged };
}

/** Updates the company after a change, wherever it is shown. */
function useUpdateCompany() {
  const client = useQueryClient();
  const { current, enter } = useSession();
  return (company: Company) => {
    const session = current();
    client.setQueriesData({ queryKey: ['getCompany', session.companyId] }, company);
    if (company.name !== session.companyName) enter({ ...session, companyName: company.name });
  };
}

/** Stores only the edits: changes of other fields by somebody else meanwhile are neither hidden nor undone. */
export function useSection<Values extends object>(options: SectionOptions<Values>): SectionState<Values> {
  const { name, saved, toChange, normalise = (values) => values, validate = () => ({}) } = options;
  const { edits, setEdits, changed, isChanged } = useEdits(name, saved);
  const [isValidated, setIsValidated] = useState(false);
  const updateCompany = useUpdateCompany();
  const showToast = useShowToast();
  const explain = useExplain();
  const common = useCommonTexts();
  const texts = useSettingsTexts();
  const sent = useRef<Partial<Values>>({});
  const request = useApiMutation('changeCompany', {
    onSuccess: (company) => {
      updateCompany(company);
      // Edits made during the request stay.
      setEdits((now) => differing(now, sent.current));
      setIsValidated(false);
      showToast(common.saved);
    },
  });
  const values = { ...saved, ...edits };
  const found: Faults = isValidated ? validate(normalise(values)) : {};
  const messages = Object.entries(found).map(([field, fault]) => [field, texts.errors[fault]]);
  const save = () => {
    const normalised = normalise(values);
    setEdits(differing(normalised, saved));
    setIsValidated(true);
    if (Object.keys(validate(normalised)).length > 0) return false;
    sent.current = differing(normalised, saved);
    if (Object.keys(sent.current).length === 0) showToast(texts.nothingChanged);
    else if (!request.isPending) request.mutate({ body: toChange(sent.current) });
    return true;
  };
  const discard = () => {
    setEdits({});
    setIsValidated(false);
    request.reset();
    showToast(texts.discarded, { label: common.undo, run: () => setEdits(changed) });
  };
  return {
    ...{ values, isChanged, save, discard },
    change: (part) => setEdits((now) => ({ ...now, ...part })),
    isWorking: request.isPending,
    fault: request.error,
    errors: { ...(request.error ? explain(request.error).fields : {}), ...Object.fromEntries(messages) },
  };
}

type SectionFormProps = {
  title: string;
  hint?: ComponentChildren;
  section: SectionState<object>;
  /** The fields that show their own errors, by the API's names. */
  shown: readonly string[];
  children: ComponentChildren;
  beside?: ComponentChildren;
};

/** Focuses the first invalid field, once the page shows it. */
function focusFirstFault(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
}

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
