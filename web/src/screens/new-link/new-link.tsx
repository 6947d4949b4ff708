// A new payment link: the form, then the created link. The URL identifies the link, so that a reload shows it again
// and the Back button leads to a form for another one.

import type { OperationResponse } from '../../api/call.ts';
import { useApiQuery } from '../../api/queries.ts';
import { formatMoney } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { useUrlState } from '../../base/url-state.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import { LinkCard, TestCards } from '../../parts/link-card.tsx';
import { LoadingState, Page, QueryContent } from '../../parts/page.tsx';
import { PaymentBadge } from '../../parts/values.tsx';
import { type CreatedLinkInfo, LinkForm, useFirstAddresses } from './link-form.tsx';
import { useNewLinkTexts } from './texts.ts';
import './new-link.css';

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
        <bdi>{texts.amountOf({ amount: money, order: customerOrderId })}</bdi>
      </p>
      {status === 'open' && <p class="quiet">{texts.waiting}</p>}
      {status === 'paid' && <p class="strong">{texts.paid({ amount: money })}</p>}
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

function CreatedLink({ created, onReset }: { created: CreatedLinkInfo; onReset(): void }) {
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

function FirstForm({ onCreated }: Pick<Parameters<typeof LinkForm>[0], 'onCreated'>) {
  const texts = useNewLinkTexts();
  const addresses = useFirstAddresses();
  if (addresses) return <LinkForm addresses={addresses} onCreated={onCreated} />;
  return (
    <Page title={texts.screens.newLink}>
      <LoadingState rows={6} />
    </Page>
  );
}

export default function NewLinkScreen() {
  const [{ made = '', replayed = '' }, change] = useUrlState();
  if (made !== '')
    return (
      <CreatedLink
        key={made}
        created={{ code: made, isReplayed: replayed !== '' }}
        onReset={() => change({ made: '', replayed: '' }, { isStep: true })}
      />
    );
  return (
    <FirstForm
      onCreated={({ code, isReplayed }) =>
        change({ made: code, replayed: isReplayed ? 'yes' : '' }, { isStep: true })
      }
    />
  );
}
