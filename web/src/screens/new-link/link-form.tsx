// The form of a new payment link. A refused form keeps its input. Sending it again after a lost response creates no
// second link: an order has one.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ApiProblem } from '../../api/call.ts';
import { useApi } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { FormError } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { useExplain } from '../../texts/problems.ts';
import { type Body, type Draft, type ReturnAddresses, readForm, suggestOrderId } from './draft.ts';
import { CustomerFields, LinkFields, MetadataFields, OrderFields, ReturnFields } from './fields.tsx';
import { useNewLinkTexts } from './texts.ts';
import { useDraft } from './use-draft.ts';

export type CreatedLinkInfo = { code: string; isReplayed: boolean };

/** Sends the request. A header of the response shows whether the link already existed. */
function useMake(onMade: (made: CreatedLinkInfo) => void) {
  const api = useApi();
  const [fault, setFault] = useState<unknown>(null);
  const [isWorking, setIsWorking] = useState(false);
  const last = useRef<{ text: string; body: Body } | null>(null);
  const isUnderWay = useRef(false);
  const make = async (draft: Draft, body: Body) => {
    // A double press comes before the next render.
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    // The same form gives the same request, also if its expiry is a duration from now.
    const text = JSON.stringify(draft);
    if (last.current?.text !== text) last.current = { text, body };
    setIsWorking(true);
    setFault(null);
    try {
      const response = await api.fetch('processPayment', { body: last.current.body });
      const { PaymentLinkCode: code } = (await response.json()) as { PaymentLinkCode: string };
      onMade({ code, isReplayed: response.headers.get('idempotent-replayed') === 'true' });
    } catch (refusal) {
      isUnderWay.current = false;
      setFault(refusal);
      setIsWorking(false);
    }
  };
  return { make, fault, setFault, isWorking };
}

const isConflict = (fault: unknown) => fault instanceof ApiProblem && fault.problem.code === 'order_conflict';

const errorFields = [
  'amount',
  'currency',
  'customerOrderId',
  'email',
  'firstName',
  'lastName',
  'phone',
  'success_url',
  'failure_url',
  'description',
  'expiresAt',
  'locale',
  'metadata',
] as const;

type Wrong = Extract<ReturnType<typeof readForm>, { wrong: unknown }>['wrong'];

/** The errors of the fields: those found here, else those of the API. Editing a field hides its error. */
function useErrors(fault: unknown) {
  const texts = useNewLinkTexts();
  const explain = useExplain();
  const [wrong, setWrong] = useState<Wrong>({});
  const [mended, setMended] = useState<ReadonlySet<string>>(new Set());
  const said = fault ? explain(fault).fields : {};
  const told = errorFields.map((field) => {
    const why = wrong[field];
    const refused = isConflict(fault) && said[field] ? texts.differs : said[field];
    return [field, mended.has(field) ? undefined : why ? texts.wrong[why] : refused];
  });
  return {
    errors: Object.fromEntries(told) as Record<string, string | undefined>,
    judge: (next: Wrong) => {
      setWrong(next);
      setMended(new Set());
    },
    mend: (fields: readonly string[]) => setMended(new Set([...mended, ...fields])),
    wrong,
  };
}

function Conflict({ draft, setOrder }: { draft: Draft; setOrder(id: string): void }) {
  const texts = useNewLinkTexts();
  const search = new URLSearchParams({ customerOrderId: draft.customerOrderId.trim() });
  return (
    <div class="actions">
      <Link class="button button-plain" href={`/payments?${search}`}>
        {texts.seeStanding}
      </Link>
      <Button onClick={() => setOrder(suggestOrderId(new Date()))}>{texts.otherOrder}</Button>
    </div>
  );
}

const draftNames: Partial<Record<keyof Draft, string>> = { expiry: 'expiresAt', pairs: 'metadata' };

/** The form with its messages and actions. */
function useLinkForm(addresses: ReturnAddresses, onMade: (made: CreatedLinkInfo) => void) {
  const { draft, set, clear, finish } = useDraft(addresses);
  const { make, fault, setFault, isWorking } = useMake((made) => {
    finish();
    onMade(made);
  });
  const { errors, judge, mend, wrong } = useErrors(fault);
  const change = (changes: Partial<Draft>) => {
    set(changes);
    mend(Object.keys(changes).map((name) => draftNames[name as keyof Draft] ?? name));
  };
  const submit = () => {
    if (isWorking) return;
    const read = readForm(draft, new Date());
    judge('wrong' in read ? read.wrong : {});
    setFault(null);
    if ('body' in read) void make(draft, read.body);
  };
  const startAnew = () => {
    clear();
    judge({});
    setFault(null);
  };
  return { draft, change, submit, startAnew, errors, wrong, fault, setFault, isWorking };
}

/** Focuses the first invalid field. */
function useFocusOnWrong(wrong: Wrong) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (Object.keys(wrong).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [wrong]);
  return form;
}

/** The screen with the form. */
export function LinkForm({
  addresses,
  onMade,
}: {
  addresses: ReturnAddresses;
  onMade(made: CreatedLinkInfo): void;
}) {
  const texts = useNewLinkTexts();
  const { draft, change, submit, startAnew, ...form } = useLinkForm(addresses, onMade);
  const { errors, fault, isWorking } = form;
  const element = useFocusOnWrong(form.wrong);
  const fields = { draft, set: change, errors };
  const setOrder = (customerOrderId: string) => {
    change({ customerOrderId });
    form.setFault(null);
  };
  return (
    <Page title={texts.title}>
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
            {texts.make}
          </Button>
          <Button onClick={startAnew}>{texts.clear}</Button>
        </div>
      </form>
    </Page>
  );
}
