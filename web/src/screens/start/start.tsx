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

function Named({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="named">
      <p class="quiet small">{name}</p>
      {children}
    </div>
  );
}

function KeyStep({ apiKey, onMade }: { apiKey: string | null; onMade(key: string): void }) {
  const texts = useStartTexts();
  const { session } = useSession();
  const create = useApiMutation('createApiKey', {
    refreshes: ['listApiKeys'],
    onDone: ({ key }) => onMade(key),
  });
  return (
    <>
      <p>{texts.keyHint}</p>
      <FormError fault={create.error} />
      <Named name={texts.address}>
        <CodeLine label={texts.address} text={location.origin} />
      </Named>
      <Named name={texts.company}>
        <CodeLine label={texts.company} text={session.companyId} />
      </Named>
      <div role="status">
        {apiKey && (
          <Named name={texts.key}>
            <CodeLine label={texts.key} text={apiKey} />
            <p class="small">{texts.keyShown}</p>
          </Named>
        )}
      </div>
      <div class="actions">
        {!apiKey && (
          <Button
            weight="main"
            isWorking={create.isPending}
            onClick={() => create.mutate({ body: { name: texts.keyName, mode: 'test' } })}
          >
            {texts.keyAct}
          </Button>
        )}
        <LinkButton to="/keys" weight="bare">
          {texts.keyOthers}
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
      <p>{texts.hearHint}</p>
      {may('webhooks:manage') && (
        <div class="actions">
          <LinkButton to="/webhooks">{texts.hearAct}</LinkButton>
        </div>
      )}
      <p>{texts.hearFeed}</p>
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
    content: <KeyStep apiKey={apiKey} onMade={setApiKey} />,
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
    { id: 'hear', title: texts.hearTitle, isDone: steps.hasEndpoint, content: <WebhookStep /> },
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
        <EmptyState title={texts.liveTitle}>
          <p>{texts.liveHint}</p>
          <Button weight="main" onClick={() => setMode('test')}>
            {texts.toTest}
          </Button>
        </EmptyState>
      )}
    </Page>
  );
}
