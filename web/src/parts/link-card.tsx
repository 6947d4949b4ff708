// A payment link with its actions: copy, open, scan, send. Actions without the right are not offered.

import { ApiProblem, type OperationResponse } from '../api/call.ts';
import { useApiMutation } from '../api/queries.ts';
import { useSession } from '../api/session.tsx';
import { Button } from './button.tsx';
import { FormError } from './field.tsx';
import './link-card.css';
import { useLinkTexts } from './link-texts.ts';
import { Section } from './page.tsx';
import { QrCode } from './qr-code.tsx';
import { useShowToast } from './toasts.tsx';
import { CodeLine } from './values.tsx';

type Payment = Pick<OperationResponse<'getPayment'>, 'PaymentLinkCode' | 'PaymentLink' | 'email'>;

const isTooOften = (fault: unknown) => fault instanceof ApiProblem && fault.problem.code === 'rate_limited';

/** Sends the link to the customer of the payment. */
function useSend({ PaymentLinkCode: code, email }: Payment) {
  const showToast = useShowToast();
  const texts = useLinkTexts();
  const { mutate, isPending, error } = useApiMutation('sendPaymentLink', {
    refreshes: ['listPaymentEvents'],
    onDone: () => showToast(texts.sent(email)),
  });
  return { send: () => mutate({ path: { code } }), isPending, error };
}

function SendFault({ fault }: { fault: unknown }) {
  const texts = useLinkTexts();
  if (!isTooOften(fault)) return <FormError fault={fault} />;
  return (
    <p class="notice notice-bad" role="alert">
      {texts.sentTooOften}
    </p>
  );
}

/** The link of an open payment. */
export function LinkCard({ payment }: { payment: Payment }) {
  const { may } = useSession();
  const texts = useLinkTexts();
  const { send, isPending, error } = useSend(payment);
  return (
    <Section title={texts.title} hint={texts.hint}>
      <div class="link-card">
        <div class="stack">
          <CodeLine text={payment.PaymentLink} label={texts.link} />
          <div class="actions">
            <a
              class="button button-plain"
              href={payment.PaymentLink}
              target="_blank"
              rel="noopener noreferrer"
            >
              {texts.open} <span aria-hidden="true">↗</span>
            </a>
            {may('payments:update') && (
              <Button isWorking={isPending} onClick={send}>
                {texts.send}
              </Button>
            )}
          </div>
          <SendFault fault={error} />
        </div>
        <QrCode code={payment.PaymentLinkCode} />
      </div>
    </Section>
  );
}
