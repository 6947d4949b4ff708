// The first steps of a developer: a key, a link by program, a test payment, and notifications. Completed steps are
// ticked. A key that is created here is only in the memory of this page.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApiMutation } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button, LinkButton } from '../../parts/button.tsx';
import { FormError } from '../../parts/field.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Badge, CodeLine } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { CodeStep, Examples } from './code-step.tsx';
import { PayStep } from './pay-step.tsx';
import { curlFeed, scriptFeed } from './snippets.ts';
import { useSteps } from './steps.ts';
import { useStartTexts } from './texts.ts';
import './start.css';

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
      <div role="status">{apiKey && <NamedLine name={texts.key} text={apiKey} hint={texts.keyShown} />}</div>
      <div class="actions">
        {!apiKey && (
          <Button
            weight="main"
            isWorking={create.isPending}
            onClick={() => create.mutate({ body: { name: texts.keyName, mode: 'test' } })}
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
        {texts.intro} <span class="strong">{texts.progress(doneCount, steps.length)}</span>
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
    <Page title={texts.title}>
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
