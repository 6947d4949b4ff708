// The first steps of a developer: a key, a link by program, a test payment, and notifications. Completed steps are
// ticked. A key that is created here is only in the memory of this page.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiMutation, useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { randomName } from '../../base/random-name.ts';
import { useUrlState } from '../../base/url-state.ts';
import { Button, LinkButton, OuterLink } from '../../parts/button.tsx';
import { FormError } from '../../parts/field.tsx';
import { TestCards } from '../../parts/link-card.tsx';
import { EmptyState, Page, QueryContent, Section } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Badge, CodeBlock, CodeLine, Money, PaymentBadge } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { curlFeed, curlLink, orderPrefix, scriptFeed, scriptLink } from './snippets.ts';
import { useStartTexts } from './texts.ts';
import './start.css';

type Payment = OperationResponse<'listPayments'>['data'][number];
type Steps = {
  hasKey: boolean;
  /** The newest link from the example lines. */
  example: Payment | null;
  hasPaid: boolean;
  hasEndpoint: boolean;
};

type Key = OperationResponse<'listApiKeys'>['data'][number];

/** The first key comes with the company. Only a key that a person created counts. */
const isOwn = ({ mode, status, createdBy }: Key) =>
  mode === 'test' && status === 'active' && createdBy !== 'system';

const exampleIntervalMs = 2_000;

/** The completed steps; updated by events. */
function useSteps(): Steps {
  const { may } = useSession();
  const wholePage = { query: { limit: 100 } };
  const keys = useApiQuery('listApiKeys', wholePage, { isEnabled: may('keys:read') });
  const endpoints = useApiQuery('listWebhookEndpoints', wholePage, { isEnabled: may('webhooks:read') });
  // The event comes up to a second before its payment can be found by the beginning of its order.
  const examples = useApiQuery(
    'listPayments',
    { query: { customerOrderId: `${orderPrefix}*`, limit: 1 } },
    { refetchIntervalMs: ({ data }) => (data.length === 0 ? exampleIntervalMs : false) },
  );
  const paid = useApiQuery('listPayments', { query: { status: 'paid', limit: 1 } });
  return {
    hasKey: keys.data?.data.some(isOwn) ?? false,
    example: examples.data?.data[0] ?? null,
    hasPaid: (paid.data?.data.length ?? 0) > 0,
    hasEndpoint: endpoints.data?.data.some(({ mode }) => mode === 'test') ?? false,
  };
}

const snippetLanguages = ['curl', 'typescript'] as const;
type SnippetLanguage = (typeof snippetLanguages)[number];

type ExamplesProps = {
  curl: string;
  typescript: string;
  below?: Readonly<Record<SnippetLanguage, ComponentChildren>>;
};

function Examples({ below, ...lines }: ExamplesProps) {
  const texts = useStartTexts();
  const [{ code }, change] = useUrlState();
  const chosen = snippetLanguages.find((one) => one === code) ?? 'curl';
  const labels: Record<SnippetLanguage, string> = { curl: 'curl', typescript: 'TypeScript' };
  return (
    <Tabs
      label={texts.languages}
      tabs={snippetLanguages.map((id) => ({ id, label: labels[id] }))}
      chosen={chosen}
      onChoose={(id) => change({ code: id === 'curl' ? '' : id })}
    >
      <CodeBlock label={chosen === 'curl' ? texts.shell : labels.typescript} text={lines[chosen]} />
      {below && <p class="quiet small">{below[chosen]}</p>}
    </Tabs>
  );
}

function CodeStep({ apiKey, example }: { apiKey: string | null; example: Payment | null }) {
  const texts = useStartTexts();
  const { session, may } = useSession();
  const { email, companyId } = session;
  const missing = may('keys:manage') ? texts.keyMissing : texts.keyOfCompany;
  const baseUrl = location.origin;
  const filled = { baseUrl, email, companyId, apiKey: apiKey ?? missing, password: texts.password };
  return (
    <>
      <p>{texts.codeHint}</p>
      {!may('keys:manage') && <p class="notice">{texts.codeHintNoKey}</p>}
      <Examples
        curl={curlLink(filled)}
        typescript={scriptLink(filled)}
        below={{ curl: texts.otpHint, typescript: texts.sdkHint }}
      />
      <div role="status" class={example ? 'notice notice-good' : 'quiet'}>
        {example ? <ExampleReceived payment={example} /> : <p>{texts.codeWaiting}</p>}
      </div>
    </>
  );
}

function ExampleReceived({ payment }: { payment: Payment }) {
  const texts = useStartTexts();
  return (
    <p>
      {texts.codeReceived}{' '}
      <Link href={`/payments/${payment.PaymentLinkCode}`}>
        <bdi>{payment.customerOrderId}</bdi>
      </Link>{' '}
      <Money amount={payment.amount} currency={payment.currency} /> <PaymentBadge payment={payment} />
    </p>
  );
}

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
          <CodeLine label={texts.paymentLink} text={PaymentLink} />
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

function PayStep() {
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

function NamedLine({ name, text, hint }: { name: string; text: string; hint?: string }) {
  return (
    <div class="named-line">
      <p class="quiet small">{name}</p>
      <CodeLine label={name} text={text} />
      {hint && <p class="small">{hint}</p>}
    </div>
  );
}

function KeyStep({ apiKey, onCreated }: { apiKey: string | null; onCreated(key: string): void }) {
  const texts = useStartTexts();
  const { session } = useSession();
  const create = useApiMutation('createApiKey', {
    invalidates: ['listApiKeys'],
    onSuccess: ({ key }) => onCreated(key),
  });
  return (
    <>
      <p>{texts.keyHint}</p>
      <FormError fault={create.error} />
      <NamedLine name={texts.address} text={location.origin} />
      <NamedLine name={texts.company} text={session.companyId} />
      <div role="status">
        {apiKey && <NamedLine name={texts.apiKey} text={apiKey} hint={texts.keyShown} />}
      </div>
      <div class="actions">
        {!apiKey && (
          <Button
            weight="main"
            isWorking={create.isPending}
            onClick={() => create.mutate({ body: { name: texts.screens.start, mode: 'test' } })}
          >
            {texts.keyAction}
          </Button>
        )}
        <LinkButton to="/keys" weight="bare">
          {texts.allKeys}
        </LinkButton>
      </div>
    </>
  );
}

function WebhookStep() {
  const texts = useStartTexts();
  const { may } = useSession();
  return (
    <>
      <p>{texts.notifyHint}</p>
      {may('webhooks:manage') && (
        <div class="actions">
          <LinkButton to="/webhooks">{texts.notifyAction}</LinkButton>
        </div>
      )}
      <p>{texts.notifyFeed}</p>
      <Examples curl={curlFeed()} typescript={scriptFeed()} />
    </>
  );
}

type StartStep = { id: string; title: string; isDone: boolean; content: ComponentChildren };

function useAvailableSteps(): readonly StartStep[] {
  const texts = useStartTexts();
  const { may } = useSession();
  const steps = useSteps();
  const [apiKey, setApiKey] = useState<string | null>(null);
  const key: StartStep = {
    id: 'key',
    title: texts.keyTitle,
    isDone: steps.hasKey,
    content: <KeyStep apiKey={apiKey} onCreated={setApiKey} />,
  };
  return [
    ...(may('keys:manage') ? [key] : []),
    {
      id: 'code',
      title: texts.codeTitle,
      isDone: steps.example !== null,
      content: <CodeStep apiKey={apiKey} example={steps.example} />,
    },
    { id: 'pay', title: texts.payTitle, isDone: steps.hasPaid, content: <PayStep /> },
    { id: 'notify', title: texts.notifyTitle, isDone: steps.hasEndpoint, content: <WebhookStep /> },
  ];
}

function StepList() {
  const texts = useStartTexts();
  const { done } = useCommonTexts();
  const steps = useAvailableSteps();
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  return (
    <>
      <p>
        {texts.intro} <span class="strong">{texts.progress({ done: doneCount, all: steps.length })}</span>
      </p>
      {steps.map(({ id, title, isDone, content }, index) => (
        <Section
          key={id}
          title={`${index + 1}. ${title}`}
          actions={isDone && <Badge tone="good">{`✓ ${done}`}</Badge>}
        >
          {content}
        </Section>
      ))}
    </>
  );
}

/** The first steps; only in test mode, so that no example moves money. */
export default function Start() {
  const texts = useStartTexts();
  const { mode, setMode } = useSession();
  return (
    <Page title={texts.screens.start}>
      {mode === 'test' ? (
        <StepList />
      ) : (
        <EmptyState title={texts.liveTitle} hint={texts.liveHint}>
          <Button weight="main" onClick={() => setMode('test')}>
            {texts.toTest}
          </Button>
        </EmptyState>
      )}
    </Page>
  );
}
