// The created link: what to do with it, and a message as soon as the customer has paid.

import type { OperationResponse } from '../../api/call.ts';
import { useApiQuery } from '../../api/queries.ts';
import { formatMoney } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Button, LinkButton } from '../../parts/button.tsx';
import { LinkCard } from '../../parts/link-card.tsx';
import { Page } from '../../parts/page.tsx';
import { QueryContent } from '../../parts/states.tsx';
import { TestCards } from '../../parts/test-cards.tsx';
import { PaymentBadge } from '../../parts/values.tsx';
import type { CreatedLinkInfo } from './link-form.tsx';
import { useNewLinkTexts } from './texts.ts';

type Payment = OperationResponse<'getPayment'>;

function LinkStatus({ payment }: { payment: Payment }) {
  const texts = useNewLinkTexts();
  const { language } = useLanguage();
  const { status, amount, currency, customerOrderId } = payment;
  const money = formatMoney(language, amount, currency);
  return (
    <div class={status === 'paid' ? 'notice notice-good' : 'notice'} role="status">
      <p class="row">
        <PaymentBadge payment={payment} />
        <bdi>{texts.amountOf(money, customerOrderId)}</bdi>
      </p>
      {status === 'open' && <p class="quiet">{texts.waiting}</p>}
      {status === 'paid' && <p class="strong">{texts.paid(money)}</p>}
    </div>
  );
}

function Shown({ payment, isReplayed }: { payment: Payment; isReplayed: boolean }) {
  const texts = useNewLinkTexts();
  const isOpen = payment.status === 'open';
  return (
    <>
      {isReplayed && <p class="notice">{texts.replayed}</p>}
      <LinkStatus payment={payment} />
      {isOpen && <LinkCard payment={payment} />}
      {isOpen && payment.mode === 'test' && <TestCards />}
    </>
  );
}

/** The screen after the form. */
export function CreatedLink({ created, onReset }: { created: CreatedLinkInfo; onReset(): void }) {
  const texts = useNewLinkTexts();
  const { code, isReplayed } = created;
  const payment = useApiQuery('getPayment', { path: { code } });
  const isPaid = payment.data?.status === 'paid';
  return (
    <Page
      title={isPaid ? texts.createdPaid : texts.created}
      actions={
        <>
          <LinkButton to={`/payments/${encodeURIComponent(code)}`}>{texts.viewPayment}</LinkButton>
          <Button weight="main" onClick={onReset}>
            {texts.another}
          </Button>
        </>
      }
    >
      <QueryContent result={payment} rows={6}>
        {(found) => <Shown payment={found} isReplayed={isReplayed} />}
      </QueryContent>
    </Page>
  );
}
