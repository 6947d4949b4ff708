// A payment link with its actions: copy, open, scan, send. Actions without the right are not offered.

import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, type OperationResponse } from '../api/call.ts';
import { useApi } from '../api/queries.ts';
import { useSession } from '../api/session.tsx';
import { useAsyncTask } from '../base/async-task.ts';
import { saveFile } from '../base/save-file.ts';
import { Button, OuterLink } from './button.tsx';
import { ErrorBox, FormError } from './field.tsx';
import { useLinkTexts } from './link-texts.ts';
import { FailedState, Section } from './page.tsx';
import { useAction, useShowFault } from './toasts.tsx';
import { CodeLine, CopyButton } from './values.tsx';
import './link-card.css';

const numbers = {
  paid: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  confirm: '4000 0027 6000 3184',
} as const;

/** Published numbers of nobody, which the sandbox accepts. */
export function TestCards() {
  const { cards: texts } = useLinkTexts();
  return (
    <aside class="notice" aria-label={texts.title}>
      <p>
        <strong>{texts.title}.</strong> {texts.hint}
      </p>
      <ul class="stack-small test-cards">
        {(['paid', 'declined', 'confirm'] as const).map((outcome) => (
          <li key={outcome} class="row">
            <span class="mono">{numbers[outcome]}</span>
            <span>{texts[outcome]}</span>
            {outcome === 'paid' && <CopyButton text={numbers[outcome]} />}
          </li>
        ))}
      </ul>
    </aside>
  );
}

const savedPixels = 1024;

function useQrImage(code: string) {
  const api = useApi();
  const [url, setUrl] = useState<string | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    let made: string | null = null;
    const load = async () => {
      setFault(null);
      const input = { path: { code }, query: { format: 'svg' as const } };
      const response = await api.fetch('drawQrCode', input, { signal: leaving.signal });
      made = URL.createObjectURL(await response.blob());
      if (leaving.signal.aborted) URL.revokeObjectURL(made);
      else setUrl(made);
    };
    load().catch((refusal) => !leaving.signal.aborted && setFault(refusal));
    return () => {
      leaving.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [api, code, round]);
  return { url, fault, retry: () => setRound(round + 1) };
}

/** Saves the image as a PNG that is large enough for printing. */
function SaveButton({ code }: { code: string }) {
  const api = useApi();
  const showFault = useShowFault();
  const texts = useLinkTexts();
  const { isWorking, run } = useAsyncTask();
  const save = async () => {
    const input = { path: { code }, query: { format: 'png' as const, size: savedPixels } };
    const response = await api.fetch('drawQrCode', input);
    saveFile(`payment-${code}.png`, await response.blob());
  };
  return (
    <Button isSmall isWorking={isWorking} onClick={() => void run(() => save().catch(showFault))}>
      {texts.qrSave}
    </Button>
  );
}

/** The image comes from the API, and never becomes part of the document. */
function QrCode({ code }: { code: string }) {
  const texts = useLinkTexts();
  const { url, fault, retry } = useQrImage(code);
  if (fault) return <FailedState fault={fault} retry={retry} />;
  return (
    <div class="stack-small qr">
      <div class="qr-plate">{url && <img src={url} alt={texts.qr} width="176" height="176" />}</div>
      <SaveButton code={code} />
    </div>
  );
}

type Payment = Pick<OperationResponse<'getPayment'>, 'PaymentLinkCode' | 'PaymentLink' | 'email'>;

const isTooOften = (fault: unknown) => fault instanceof ApiProblem && fault.problem.code === 'rate_limited';

function SendError({ fault }: { fault: unknown }) {
  const texts = useLinkTexts();
  if (!isTooOften(fault)) return <FormError fault={fault} />;
  return <ErrorBox fault={fault}>{texts.sentTooOften}</ErrorBox>;
}

export function LinkCard({ payment }: { payment: Payment }) {
  const { may } = useSession();
  const texts = useLinkTexts();
  const code = payment.PaymentLinkCode;
  const send = useAction('sendPaymentLink', texts.sent({ email: payment.email }), {
    invalidates: ['listPaymentEvents'],
  });
  return (
    <Section title={texts.title} hint={texts.hint}>
      <div class="link-card">
        <div class="stack">
          <CodeLine text={payment.PaymentLink} label={texts.title} />
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
