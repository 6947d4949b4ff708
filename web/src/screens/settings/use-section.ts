// A section of the settings that is changed and saved separately. It stores only the edits: changes of other fields
// by somebody else meanwhile are neither hidden nor undone. Edits survive a reload, and the browser warns before the
// page is left.

import { useQueryClient } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApiMutation } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { readStoredDraft, writeStoredDraft } from '../../base/storage.ts';
import { useShowToast } from '../../parts/toasts.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import { useSettingsTexts } from './texts.ts';
import type { Change, Company, Faults } from './values.ts';

export type SectionOptions<Values extends object> = {
  /** The name of its draft. */
  name: string;
  /** The values saved at the service. */
  saved: Values;
  toChange(changed: Partial<Values>): Change;
  /** Normalises the typed values, as they would be saved. */
  tidy?(values: Values): Values;
  findFaults?(values: Values): Faults;
};

export type SectionState<Values extends object> = {
  values: Values;
  change(part: Partial<Values>): void;
  isChanged: boolean;
  isWorking: boolean;
  /** Why it was refused. */
  fault: unknown;
  /** A sentence for each invalid field, by the API's name of it. */
  errors: Readonly<Record<string, string>>;
  /** False if nothing was sent, because a value is invalid. */
  save(): boolean;
  discard(): void;
};

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The entries of `part` that differ from those of `whole`. */
function differing<Values extends object>(part: Partial<Values>, whole: Values): Partial<Values> {
  const entries = Object.entries(part) as [keyof Values, unknown][];
  return Object.fromEntries(
    entries.filter(([name, value]) => name in whole && !isSame(value, whole[name])),
  ) as Partial<Values>;
}

/** The edits made since something was sent. */
function without<Values extends object>(edits: Partial<Values>, sent: Partial<Values>): Partial<Values> {
  const entries = Object.entries(edits) as [keyof Values, unknown][];
  return Object.fromEntries(
    entries.filter(([name, value]) => !(name in sent) || !isSame(value, sent[name])),
  ) as Partial<Values>;
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
  const [edits, setEdits] = useState<Partial<Values>>(() => readStoredDraft<Partial<Values>>(key) ?? {});
  const changed = differing(edits, saved);
  const isChanged = Object.keys(changed).length > 0;
  useEffect(() => writeStoredDraft(key, isChanged ? changed : null), [key, edits, saved]);
  useWarning(isChanged);
  return { edits, setEdits, changed, isChanged };
}

/** Updates the company after a change, wherever it is shown. */
function useTakeOver() {
  const client = useQueryClient();
  const { current, enter } = useSession();
  return (company: Company) => {
    const session = current();
    client.setQueriesData({ queryKey: ['getCompany', session.companyId] }, company);
    if (company.name !== session.companyName) enter({ ...session, companyName: company.name });
  };
}

/** The state of a section and its actions. */
export function useSection<Values extends object>(options: SectionOptions<Values>): SectionState<Values> {
  const { name, saved, toChange, tidy = (values) => values, findFaults = () => ({}) } = options;
  const { edits, setEdits, changed, isChanged } = useEdits(name, saved);
  const [hasTried, setHasTried] = useState(false);
  const takeOver = useTakeOver();
  const showToast = useShowToast();
  const explain = useExplain();
  const common = useCommonTexts();
  const texts = useSettingsTexts();
  const sent = useRef<Partial<Values>>({});
  const act = useApiMutation('changeCompany', {
    onDone: (company) => {
      takeOver(company);
      // Edits made during the request stay.
      setEdits((now) => without(now, sent.current));
      setHasTried(false);
      showToast(common.saved);
    },
  });
  const values = { ...saved, ...edits };
  const own: Faults = hasTried ? findFaults(tidy(values)) : {};
  const said = Object.entries(own).map(([field, fault]) => [field, texts.faults[fault]]);
  const save = () => {
    const tidied = tidy(values);
    setEdits(differing(tidied, saved));
    setHasTried(true);
    if (Object.keys(findFaults(tidied)).length > 0) return false;
    sent.current = differing(tidied, saved);
    if (Object.keys(sent.current).length === 0) showToast(texts.nothingChanged);
    else if (!act.isPending) act.mutate({ body: toChange(sent.current) });
    return true;
  };
  const discard = () => {
    setEdits({});
    setHasTried(false);
    act.reset();
    showToast(texts.discarded, { label: texts.undo, run: () => setEdits(changed) });
  };
  return {
    ...{ values, isChanged, save, discard },
    change: (part) => setEdits((now) => ({ ...now, ...part })),
    isWorking: act.isPending,
    fault: act.error,
    errors: { ...(act.error ? explain(act.error).fields : {}), ...Object.fromEntries(said) },
  };
}
