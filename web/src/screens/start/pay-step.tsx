// A test payment in one press: creates a link, shows the sandbox cards, and shows the payment turn paid.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useApiMutation, useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { randomName } from '../../base/random-name.ts';
import { Button, OuterLink } from '../../parts/button.tsx';
import { FormError } from '../../parts/field.tsx';
import { QueryContent } from '../../parts/states.tsx';
import { TestCards } from '../../parts/test-cards.tsx';
import { CodeLine, Money, PaymentBadge } from '../../parts/values.tsx';
import type { Payment } from './steps.ts';
import { useStartTexts } from './texts.ts';

const outcomes = { open: 'waiting', processing: 'waiting', paid: 'paid' } as const;
const classNames = { waiting: 'notice', paid: 'notice notice-good', ended: 'notice notice-bad' };

function Shown({ payment }: { payment: Payment }) {
  const texts = useStartTexts();
  const { PaymentLink, PaymentLinkCode, amount, currency, status } = payment;
  const outcome = status in outcomes ? outcomes[status as keyof typeof outcomes] : 'ended';
  return (
    <>
      <div role="status" class={classNames[outcome]}>
        <p>
          <Money amount={amount} currency={currency} /> <PaymentBadge payment={payment} />
        </p>
        <p>{texts[outcome]}</p>
        <Link href={`/payments/${PaymentLinkCode}`}>{texts.viewPayment}</Link>
      </div>
      {status === 'open' && (
        <>
          <CodeLine label={texts.link} text={PaymentLink} />
          <div class="actions">
            <OuterLink to={PaymentLink} weight="main">
              {texts.payOpen}
            </OuterLink>
          </div>
          <TestCards />
        </>
      )}
    </>
  );
}

function LivePayment({ code }: { code: string }) {
  const result = useApiQuery('getPayment', { path: { code } });
  return <QueryContent result={result}>{(payment) => <Shown payment={payment} />}</QueryContent>;
}

const amount = 12.34;

/** The button, and the payment that it created. */
export function PayStep() {
  const texts = useStartTexts();
  const { session } = useSession();
  const [code, setCode] = useState<string | null>(null);
  const create = useApiMutation('processPayment', {
    invalidates: ['listPayments'],
    onSuccess: (created) => setCode(created.PaymentLinkCode),
  });
  const press = () =>
    create.mutate({
      body: {
        customerOrderId: `test-${randomName().slice(0, 8)}`,
        email: session.email,
        amount,
        currency: 'EUR',
        description: texts.payDescription,
        success_url: `${location.origin}/sandbox/shop/success`,
        failure_url: `${location.origin}/sandbox/shop/failure`,
      },
    });
  return (
    <>
      <p>{texts.payHint}</p>
      <FormError fault={create.error} />
      <div class="actions">
        <Button weight={code ? 'plain' : 'main'} isWorking={create.isPending} onClick={press}>
          {code ? texts.payAgain : texts.payAction}
        </Button>
      </div>
      {code && <LivePayment key={code} code={code} />}
    </>
  );
}
