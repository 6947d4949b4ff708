// The cases: attempts and refunds that no processor settled for days, and overpayments that could not be refunded.
// Nothing is settled here: only the processor's evidence does that.

import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiQuery } from '../../api/queries.ts';
import { EmptyState, Page, QueryContent, Section } from '../../parts/page.tsx';
import { type Column, Table, useNamedColumns } from '../../parts/table.tsx';
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

function useColumns(): Column<Case>[] {
  const texts = useCasesTexts();
  return useNamedColumns(texts, {
    type: ({ PaymentLinkCode, refundId }) => (
      <span class="stacked">
        <span class="strong">{refundId === null ? texts.charge : texts.refund}</span>
        <PaymentLink code={PaymentLinkCode} />
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
    since: ({ CreatedOn }) => <Distance at={CreatedOn} />,
    amount: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
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
                keyOf={({ refundId, attemptId }) => refundId ?? attemptId}
              />
            )
          }
        </QueryContent>
      </Section>
    </Page>
  );
}
