// A payment link with its actions: copy, open, scan, send. Actions without the right are not offered.

import { ApiProblem, type OperationResponse } from '../api/call.ts';
import { useSession } from '../api/session.tsx';
import { useAction } from './action.ts';
import { Button, OuterLink } from './button.tsx';
import { ErrorBox, FormError } from './field.tsx';
import './link-card.css';
import { useLinkTexts } from './link-texts.ts';
import { Section } from './page.tsx';
import { QrCode } from './qr-code.tsx';
import { CodeLine } from './values.tsx';

type Payment = Pick<OperationResponse<'getPayment'>, 'PaymentLinkCode' | 'PaymentLink' | 'email'>;

const isTooOften = (fault: unknown) => fault instanceof ApiProblem && fault.problem.code === 'rate_limited';

function SendError({ fault }: { fault: unknown }) {
  const texts = useLinkTexts();
  if (!isTooOften(fault)) return <FormError fault={fault} />;
  return <ErrorBox fault={fault}>{texts.sentTooOften}</ErrorBox>;
}

/** The link of an open payment. */
export function LinkCard({ payment }: { payment: Payment }) {
  const { may } = useSession();
  const texts = useLinkTexts();
  const code = payment.PaymentLinkCode;
  const send = useAction('sendPaymentLink', texts.sent(payment.email), {
    invalidates: ['listPaymentEvents'],
  });
  return (
    <Section title={texts.title} hint={texts.hint}>
      <div class="link-card">
        <div class="stack">
          <CodeLine text={payment.PaymentLink} label={texts.link} />
          <div class="actions">
            <OuterLink to={payment.PaymentLink} weight="plain">
              {texts.open} <span aria-hidden="true">↗</span>
            </OuterLink>
            {may('payments:update') && (
              <Button isWorking={send.isPending} onClick={() => send.mutate({ path: { code } })}>
                {texts.send}
              </Button>
            )}
          </div>
          <SendError fault={send.error} />
        </div>
        <QrCode code={code} />
      </div>
    </Section>
  );
}
