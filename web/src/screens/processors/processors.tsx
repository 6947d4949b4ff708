// The company's connections with processors, in the current mode: what is connected, in which order it is offered, and
// its health. Must not show a secret, nor store one.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { FormError } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { EmptyState, QueryContent } from '../../parts/states.tsx';
import { ConnectionActions } from './connection-actions.tsx';
import { ConnectionCard } from './connection-card.tsx';
import { ChangeDialog, ConnectDialog } from './connection-form.tsx';
import { type Connection, sandbox } from './connections.ts';
import type { Kind } from './german-words.ts';
import { ReorderButtons, useOrder } from './order.tsx';
import { useProcessorTexts } from './texts.ts';
import './processors.css';

const refetchIntervalMs = 30_000;

function NoConnections({ connectButton }: { connectButton: ComponentChildren }) {
  const { mode } = useSession();
  const texts = useProcessorTexts();
  const isTest = mode === 'test';
  return (
    <section class="card">
      <EmptyState
        title={isTest ? texts.emptyTest : texts.emptyLive}
        hint={isTest ? texts.emptyTestHint : texts.emptyLiveHint}
      >
        {connectButton}
      </EmptyState>
    </section>
  );
}

function SandboxNotice({ connections }: { connections: readonly Connection[] }) {
  const { mode } = useSession();
  const texts = useProcessorTexts();
  if (mode !== 'test' || connections.some(({ processor }) => processor === sandbox)) return null;
  return (
    <div class="notice">
      <p>
        <strong>{texts.sandbox}.</strong> {texts.sandboxHint}
      </p>
    </div>
  );
}

type ConnectionsProps = { connections: readonly Connection[]; kinds: readonly Kind[] };

function Connections({ connections, kinds }: ConnectionsProps) {
  const { may } = useSession();
  const mayManage = may('processors:manage');
  const [changing, setChanging] = useState<string | null>(null);
  const { go, fault } = useOrder(connections);
  const kindOf = (name: string) => kinds.find(({ processor }) => processor === name);
  const changed = connections.find(({ id }) => id === changing);
  const changedKind = changed && kindOf(changed.processor);
  return (
    <>
      <FormError fault={fault} />
      <ol class="stack">
        {connections.map((connection, index) => {
          const kind = kindOf(connection.processor);
          const change = () => setChanging(connection.id);
          const position = index + 1;
          return (
            <li key={connection.id}>
              <ConnectionCard {...{ connection, kind, position }} onComplete={mayManage ? change : undefined}>
                {mayManage && (
                  <div class="apart connection-actions">
                    <ConnectionActions {...{ connection, kind }} onChange={change} />
                    <ReorderButtons {...{ connection, position, go }} count={connections.length} />
                  </div>
                )}
              </ConnectionCard>
            </li>
          );
        })}
      </ol>
      {changed && changedKind && (
        <ChangeDialog kind={changedKind} connection={changed} onClose={() => setChanging(null)} />
      )}
    </>
  );
}

/** The screen. */
export default function ProcessorsScreen() {
  const { may, mode } = useSession();
  const texts = useProcessorTexts();
  const [isConnecting, setIsConnecting] = useState(false);
  const kinds = useApiQuery('listProcessors', {});
  const connections = useApiQuery('listProcessorConnections', {}, { refetchIntervalMs });
  const known = kinds.data?.data ?? [];
  const isEmpty = connections.data?.data.length === 0;
  const button = may('processors:manage') && kinds.data && (
    <Button weight="main" onClick={() => setIsConnecting(true)}>
      {texts.connect}
    </Button>
  );
  return (
    <Page title={texts.title} actions={!isEmpty && button}>
      <p class="quiet">{texts.intro}</p>
      <QueryContent result={kinds}>
        {() => (
          <QueryContent result={connections} rows={6}>
            {({ data }) => (
              <>
                <SandboxNotice connections={data} />
                {data.length === 0 && <NoConnections connectButton={button} />}
                {data.length > 0 && <Connections connections={data} kinds={known} />}
              </>
            )}
          </QueryContent>
        )}
      </QueryContent>
      {isConnecting && (
        <ConnectDialog
          kinds={known.filter(({ modes }) => modes.includes(mode))}
          onClose={() => setIsConnecting(false)}
        />
      )}
    </Page>
  );
}
