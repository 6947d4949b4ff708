// The form of a new payment link. A refused form keeps its input. Sending it again after a lost response creates no
// second link: an order has one.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ApiProblem } from '../../api/call.ts';
import { useApi, useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { useAsyncTask } from '../../base/async-task.ts';
import { readStored, readStoredDraft, writeStored, writeStoredDraft } from '../../base/storage.ts';
import { Button } from '../../parts/button.tsx';
import { FormError } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { useExplain } from '../../texts/problems.ts';
import {
  type Body,
  type Draft,
  type FormErrors,
  firstAddresses,
  newDraft,
  optionalFields,
  type ReturnAddresses,
  readForm,
  requiredFields,
  restoreDraft,
  suggestOrderId,
} from './draft.ts';
import { CustomerFields, LinkFields, MetadataFields, OrderFields, ReturnFields } from './fields.tsx';
import { useNewLinkTexts } from './texts.ts';

function useNames() {
  const { session, mode } = useSession();
  return {
    draft: `new-link.${session.accountId}.${mode}`,
    addresses: `returns.${session.companyId}.${mode}`,
  };
}

function readAddresses(name: string): ReturnAddresses | null {
  try {
    const read = JSON.parse(readStored(name) ?? 'null') as Partial<ReturnAddresses> | null;
    const { success_url: success, failure_url: failure } = read ?? {};
    if (typeof success !== 'string' || typeof failure !== 'string') return null;
    return { success_url: success, failure_url: failure };
  } catch {
    return null;
  }
}

/** The initial return URLs of a new form; null while the company's own are loading. */
export function useFirstAddresses(): ReturnAddresses | null {
  const { mode } = useSession();
  const names = useNames();
  const [last] = useState(() => readAddresses(names.addresses));
  const company = useApiQuery('getCompany', {}, { isEnabled: last === null });
  if (last === null && company.isPending) return null;
  const allowedOrigins = company.data?.allowedOrigins ?? [];
  return firstAddresses({ last, allowedOrigins, mode, origin: location.origin });
}

/** It survives a reload and the end of the session, and belongs to its person and mode. */
function useDraft(addresses: ReturnAddresses) {
  const names = useNames();
  const fresh = () => newDraft(addresses, new Date());
  const [draft, setDraft] = useState<Draft>(() => restoreDraft(readStoredDraft(names.draft), fresh()));
  const change = (next: Draft) => {
    writeStoredDraft(names.draft, next);
    setDraft(next);
  };
  return {
    draft,
    set: (changes: Partial<Draft>) => change({ ...draft, ...changes }),
    clear: () => change(fresh()),
    /** The link exists: the URLs serve the next one, and the rest is deleted. */
    finish: () => {
      const { success_url, failure_url } = draft;
      writeStored(names.addresses, JSON.stringify({ success_url, failure_url }));
      writeStoredDraft(names.draft, null);
    },
  };
}

export type CreatedLinkInfo = { code: string; isReplayed: boolean };

/** Sends the request. A header of the response shows whether the link already existed. */
function useCreate(onCreated: (created: CreatedLinkInfo) => void) {
  const api = useApi();
  const { fault, isWorking, run, clearFault } = useAsyncTask();
  const last = useRef<{ text: string; body: Body } | null>(null);
  const create = (draft: Draft, body: Body) =>
    run(async () => {
      // The same form gives the same request, also if its expiry is a duration from now.
      const text = JSON.stringify(draft);
      if (last.current?.text !== text) last.current = { text, body };
      const response = await api.fetch('processPayment', { body: last.current.body });
      const { PaymentLinkCode: code } = (await response.json()) as { PaymentLinkCode: string };
      onCreated({ code, isReplayed: response.headers.get('idempotent-replayed') === 'true' });
    });
  return { create, fault, clearFault, isWorking };
}

const isConflict = (fault: unknown) => fault instanceof ApiProblem && fault.problem.code === 'order_conflict';

const errorFields = [...requiredFields, ...optionalFields, 'currency', 'expiresAt', 'metadata'] as const;

/** The errors of the fields: those found here, else those of the API. Editing a field hides its error. */
function useErrors(fault: unknown) {
  const texts = useNewLinkTexts();
  const { fields } = useExplain()(fault);
  const sentences = { ...texts.errors, amount: texts.invalidAmount, time: texts.invalidTime };
  const [found, setFound] = useState<FormErrors>({});
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const messages = errorFields.map((field) => {
    const reason = found[field];
    const refused = isConflict(fault) && fields[field] ? texts.differs : fields[field];
    return [field, edited.has(field) ? undefined : reason ? sentences[reason] : refused];
  });
  return {
    errors: Object.fromEntries(messages) as Record<string, string | undefined>,
    show: (errors: FormErrors) => {
      setFound(errors);
      setEdited(new Set());
    },
    hide: (names: readonly string[]) => setEdited(new Set([...edited, ...names])),
    found,
  };
}

function Conflict({ draft, setOrder }: { draft: Draft; setOrder(id: string): void }) {
  const texts = useNewLinkTexts();
  const search = new URLSearchParams({ customerOrderId: draft.customerOrderId.trim() });
  return (
    <div class="actions">
      <Link class="button button-plain" href={`/payments?${search}`}>
        {texts.viewExisting}
      </Link>
      <Button onClick={() => setOrder(suggestOrderId(new Date()))}>{texts.otherOrder}</Button>
    </div>
  );
}

const draftNames: Partial<Record<keyof Draft, string>> = { expiry: 'expiresAt', pairs: 'metadata' };

function useLinkForm({ addresses, onCreated }: LinkFormProps) {
  const { draft, set, clear, finish } = useDraft(addresses);
  const { create, fault, clearFault, isWorking } = useCreate((created) => {
    finish();
    onCreated(created);
  });
  const { errors, show, hide, found } = useErrors(fault);
  const change = (changes: Partial<Draft>) => {
    set(changes);
    hide(Object.keys(changes).map((name) => draftNames[name as keyof Draft] ?? name));
  };
  const submit = () => {
    if (isWorking) return;
    const read = readForm(draft, new Date());
    show('errors' in read ? read.errors : {});
    clearFault();
    if ('body' in read) void create(draft, read.body);
  };
  const reset = () => {
    clear();
    show({});
    clearFault();
  };
  return { draft, change, submit, reset, errors, found, fault, clearFault, isWorking };
}

function useFocusOnError(found: FormErrors) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (Object.keys(found).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [found]);
  return form;
}

type LinkFormProps = { addresses: ReturnAddresses; onCreated(created: CreatedLinkInfo): void };

export function LinkForm(props: LinkFormProps) {
  const texts = useNewLinkTexts();
  const { draft, change, submit, reset, errors, found, fault, clearFault, isWorking } = useLinkForm(props);
  const element = useFocusOnError(found);
  const fields = { draft, set: change, errors };
  const setOrder = (customerOrderId: string) => {
    change({ customerOrderId });
    clearFault();
  };
  return (
    <Page title={texts.screens.newLink}>
      <form
        ref={element}
        class="stack link-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <FormError fault={fault} shown={errorFields} />
        {isConflict(fault) && <Conflict draft={draft} setOrder={setOrder} />}
        <OrderFields {...fields} />
        <CustomerFields {...fields} />
        <LinkFields {...fields} />
        <ReturnFields {...fields} />
        <MetadataFields {...fields} />
        <div class="actions">
          <Button type="submit" weight="main" isWorking={isWorking}>
            {texts.create}
          </Button>
          <Button onClick={reset}>{texts.clear}</Button>
        </div>
      </form>
    </Page>
  );
}
