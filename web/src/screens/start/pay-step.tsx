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

/** The message about a payment, and its style. */
function useLatestPayment({ status }: Payment): { look: string; sentence: string } {
  const texts = useStartTexts();
  if (status === 'paid') return { look: 'notice notice-good', sentence: texts.paid };
  const isWaiting = status === 'open' || status === 'processing';
  return isWaiting
    ? { look: 'notice', sentence: texts.waiting }
    : { look: 'notice notice-bad', sentence: texts.ended };
}

function Shown({ payment }: { payment: Payment }) {
  const texts = useStartTexts();
  const { look, sentence } = useLatestPayment(payment);
  const { PaymentLink, PaymentLinkCode, amount, currency, status } = payment;
  return (
    <>
      <div role="status" class={look}>
        <p>
          <Money amount={amount} currency={currency} /> <PaymentBadge payment={payment} />
        </p>
        <p>{sentence}</p>
        <Link href={`/payments/${PaymentLinkCode}`}>{texts.look}</Link>
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

function Watched({ code }: { code: string }) {
  const result = useApiQuery('getPayment', { path: { code } });
  return <QueryContent result={result}>{(payment) => <Shown payment={payment} />}</QueryContent>;
}

const amount = 12.34;

/** The button, and the payment that it created. */
export function PayStep() {
  const texts = useStartTexts();
  const { session } = useSession();
  const [code, setCode] = useState<string | null>(null);
  const make = useApiMutation('processPayment', {
    refreshes: ['listPayments'],
    onDone: (made) => setCode(made.PaymentLinkCode),
  });
  const press = () =>
    make.mutate({
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
      <FormError fault={make.error} />
      <div class="actions">
        <Button weight={code ? 'plain' : 'main'} isWorking={make.isPending} onClick={press}>
          {code ? texts.payAgain : texts.payAct}
        </Button>
      </div>
      {code && <Watched key={code} code={code} />}
    </>
  );
}
