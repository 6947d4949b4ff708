// The cases: attempts and refunds that no processor settled for days, and overpayments that could not be refunded.
// Only the processor's evidence settles an attempt or a refund; a person closes a case about unmatched money.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OperationId, OperationResponse } from '../../api/call.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { TextField, useFields } from '../../parts/field.tsx';
import { EmptyState, Page, QueryContent, Section } from '../../parts/page.tsx';
import { type Column, Table, useNamedColumns } from '../../parts/table.tsx';
import { useAction } from '../../parts/toasts.tsx';
import { Badge, CopyButton, Distance, Money, PaymentLink } from '../../parts/values.tsx';
import { useCasesTexts } from './texts.ts';

type Case = OperationResponse<'listCases'>['data'][number];

function Reference({ of: { processor, processorReference: reference } }: { of: Case }) {
  const texts = useCasesTexts();
  return (
    <span class="stacked">
      <bdi>{processor}</bdi>
      {reference === null ? (
        <span class="quiet small">{texts.noReference}</span>
      ) : (
        <>
          <bdi class="mono">{reference}</bdi>
          <span>
            <CopyButton text={reference} label={texts.reference} />
          </span>
        </>
      )}
    </span>
  );
}

/** Whether the case is about money that Paylink cannot account for. */
const isAboutMoney = ({ status, refundId }: Case) =>
  refundId === null && ['succeeded', 'declined', 'cancelled'].includes(status);

type CloseDialogProps = { code: string; reference: string; onClose(): void };

function CloseDialog({ code, reference, onClose }: CloseDialogProps) {
  const texts = useCasesTexts();
  const invalidates: readonly OperationId[] = ['listCases', 'getOverview', 'listPaymentEvents'];
  const close = useAction('closeCase', texts.closed, { invalidates, onClose });
  const { values, field } = useFields({ note: '' }, close.error);
  const note = values.note.trim();
  const body = { processorReference: reference, ...(note ? { note } : {}) };
  return (
    <FormDialog
      title={texts.closeTitle}
      action={texts.close}
      request={close}
      shown={['note']}
      onSubmit={() => close.mutate({ path: { code }, body })}
      onClose={onClose}
    >
      <p>{texts.closeText}</p>
      <TextField
        {...field('note')}
        label={texts.closeNote}
        hint={texts.closeNoteHint}
        isOptional
        maxLength={500}
      />
    </FormDialog>
  );
}

function CloseCase({ of: one }: { of: Case }) {
  const texts = useCasesTexts();
  const [isOpen, setIsOpen] = useState(false);
  const { paymentLinkCode: code, processorReference: reference } = one;
  if (!isAboutMoney(one) || reference === null) return null;
  return (
    <>
      <Button isSmall onClick={() => setIsOpen(true)}>
        {texts.close}
      </Button>
      {isOpen && <CloseDialog code={code} reference={reference} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function useColumns(): Column<Case>[] {
  const texts = useCasesTexts();
  const { may } = useSession();
  return useNamedColumns(texts, {
    type: ({ paymentLinkCode, refundId }) => (
      <span class="stacked">
        <span class="strong">{refundId === null ? texts.charge : texts.refund}</span>
        <PaymentLink code={paymentLinkCode} />
      </span>
    ),
    status: ({ status, failureCode }) => (
      <span class="stacked">
        <span>
          <Badge tone={status === 'failed' ? 'bad' : 'busy'}>{texts.states[status]}</Badge>
        </span>
        {failureCode && <bdi class="mono">{failureCode}</bdi>}
      </span>
    ),
    processor: (one) => <Reference of={one} />,
    since: ({ createdAt }) => <Distance at={createdAt} />,
    amount: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    actions: may('payments:refund') && ((one) => <CloseCase of={one} />),
  });
}

export default function Cases() {
  const texts = useCasesTexts();
  const cases = useApiQuery('listCases', {});
  const columns = useColumns();
  return (
    <Page title={texts.title} above={<Link href="/">{`← ${texts.screens.overview}`}</Link>}>
      <Section hint={texts.intro}>
        <QueryContent result={cases}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState title={texts.none} hint={texts.noneHint} />
            ) : (
              <Table
                caption={texts.title}
                columns={columns}
                rows={data}
                keyOf={({ refundId, attemptId, processorReference }) =>
                  refundId ?? `${attemptId} ${processorReference}`
                }
              />
            )
          }
        </QueryContent>
      </Section>
    </Page>
  );
}
