// The company's connections with processors, in the current mode: what is connected, in which order it is offered, and
// its health. Must not show a secret, nor store one.

import { useQueryClient } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useApiMutation, useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { FormError } from '../../parts/field.tsx';
import { EmptyState, Page, QueryContent } from '../../parts/page.tsx';
import { useAction, useShowToast } from '../../parts/toasts.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import { ConnectionCard } from './connection-card.tsx';
import { ChangeDialog, ConnectDialog } from './connection-form.tsx';
import { type Connection, type Kind, moveConnection, sandbox } from './connections.ts';
import { useProcessorTexts } from './texts.ts';
import { useProcessorWords } from './words.ts';
import './processors.css';

type MoveDirection = -1 | 1;
type Move = { connection: Connection; step: MoveDirection };

const idOf = (connection: Connection, step: MoveDirection) =>
  `${step < 0 ? 'up' : 'down'}-${connection.connectionId}`;

/** Moves connections. The moved one keeps the focus. */
function useOrder(connections: readonly Connection[]) {
  const client = useQueryClient();
  const { session, mode } = useSession();
  const texts = useProcessorTexts();
  const { titleOf } = useProcessorWords();
  const showToast = useShowToast();
  const [move, setMove] = useState<Move | null>(null);
  const request = useApiMutation('orderProcessorConnections', {
    invalidates: ['listProcessorConnections'],
    onSuccess: (response) =>
      client.setQueriesData({ queryKey: ['listProcessorConnections', session.companyId, mode] }, response),
  });
  const order = connections.map(({ connectionId }) => connectionId).join();
  useEffect(() => {
    if (!move || request.isPending) return;
    const { connection, step } = move;
    const steps = [step, step === 1 ? -1 : 1] as const;
    const buttons = steps.map((one) => document.getElementById(idOf(connection, one)));
    buttons.find((button) => button instanceof HTMLButtonElement && !button.disabled)?.focus();
    const position =
      connections.findIndex(({ connectionId }) => connectionId === connection.connectionId) + 1;
    if (!request.error) showToast(texts.moved({ title: titleOf(connection), position }));
    setMove(null);
  }, [order, request.isPending]);
  const go = (next: Move) => {
    if (request.isPending) return;
    setMove(next);
    const ids = connections.map(({ connectionId }) => connectionId);
    request.mutate({ body: { connectionIds: moveConnection(ids, next.connection.connectionId, next.step) } });
  };
  return { go, isWorking: request.isPending, fault: request.error };
}

type ReorderButtonsProps = {
  connection: Connection;
  position: number;
  count: number;
  go(move: Move): void;
};

function ReorderButtons({ connection, position, count, go }: ReorderButtonsProps) {
  const texts = useProcessorTexts();
  const title = useProcessorWords().titleOf(connection);
  if (count < 2) return null;
  const buttons = [
    { step: -1, sign: '↑', label: texts.moveUp({ title }), isAtEnd: position === 1 },
    { step: 1, sign: '↓', label: texts.moveDown({ title }), isAtEnd: position === count },
  ] as const;
  return (
    <div class="actions movers">
      {buttons.map(({ step, sign, label, isAtEnd }) => (
        <button
          key={step}
          type="button"
          id={idOf(connection, step)}
          class="icon-button"
          disabled={isAtEnd}
          aria-label={label}
          onClick={() => go({ connection, step })}
        >
          {sign}
        </button>
      ))}
    </div>
  );
}

type ConnectionActionsProps = { connection: Connection; kind: Kind | undefined; onChange(): void };

const invalidates = ['listProcessorConnections'] as const;

/** The processor's response to a check of stored credentials. */
function CheckFault(props: Omit<ConnectionActionsProps, 'onChange'> & { fault: unknown }) {
  const { fault, connection, kind } = props;
  const texts = useProcessorTexts();
  const { wordsOf } = useProcessorWords();
  const { sentence, fields } = useExplain()(fault);
  const labelOf = (name: string) => {
    const field = kind?.fields.find((one) => name === `credentials.${one.name}`);
    return field ? wordsOf(connection.processor, field).label : name;
  };
  return (
    <div class="notice notice-bad" role="alert">
      <p>
        <strong>{texts.checkFailed}.</strong> {sentence}
      </p>
      <ul>
        {Object.entries(fields).map(([name, error]) => (
          <li key={name}>
            {labelOf(name)}: {error}
          </li>
        ))}
      </ul>
    </div>
  );
}

function useSwitching(title: string) {
  const texts = useProcessorTexts();
  const { undo } = useCommonTexts();
  const showToast = useShowToast();
  const change = useApiMutation('updateProcessorConnection', {
    invalidates,
    onSuccess: ({ connectionId, enabled }) => {
      const run = () => change.mutate({ path: { connectionId }, body: { enabled: !enabled } });
      showToast(enabled ? texts.switchedOn({ title }) : texts.switchedOff({ title }), { label: undo, run });
    },
  });
  return change;
}

type DeleteDialogProps = { connection: Connection; title: string; onClose(): void };

function DeleteDialog({ connection, title, onClose }: DeleteDialogProps) {
  const texts = useProcessorTexts();
  const remove = useAction('deleteProcessorConnection', texts.deleted, { invalidates, onClose });
  return (
    <FormDialog
      title={texts.deleteTitle({ title })}
      action={texts.deleteAction}
      weight="bad"
      request={remove}
      onSubmit={() => remove.mutate({ path: { connectionId: connection.connectionId } })}
      onClose={onClose}
    >
      <p>{texts.deleteText}</p>
      <p>{texts.deleteInstead}</p>
    </FormDialog>
  );
}

function ConnectionActions({ connection, kind, onChange }: ConnectionActionsProps) {
  const texts = useProcessorTexts();
  const common = useCommonTexts();
  const title = useProcessorWords().titleOf(connection);
  const [isDeleting, setIsDeleting] = useState(false);
  const path = { connectionId: connection.connectionId };
  const switching = useSwitching(title);
  const checked = ({ holder }: { holder: string | null }) =>
    holder ? texts.checked({ holder }) : texts.checkedPlain;
  const checking = useAction('checkProcessorConnection', checked, { invalidates });
  return (
    <>
      {[checking.error, switching.error].map(
        (fault, index) => fault && <CheckFault key={index} {...{ connection, kind, fault }} />,
      )}
      <div class="actions">
        {kind && kind.fields.length > 0 && (
          <Button isWorking={checking.isPending} onClick={() => checking.mutate({ path })}>
            {texts.check}
          </Button>
        )}
        {kind && <Button onClick={onChange}>{texts.edit}</Button>}
        <Button
          isWorking={switching.isPending}
          onClick={() => switching.mutate({ path, body: { enabled: !connection.enabled } })}
        >
          {connection.enabled ? common.switchOff : common.switchOn}
        </Button>
        <Button weight="bad" onClick={() => setIsDeleting(true)}>
          {common.delete}
        </Button>
      </div>
      {isDeleting && <DeleteDialog {...{ connection, title }} onClose={() => setIsDeleting(false)} />}
    </>
  );
}

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

function Connections({ connections, kinds }: { connections: readonly Connection[]; kinds: readonly Kind[] }) {
  const { may } = useSession();
  const mayManage = may('processors:manage');
  const [changing, setChanging] = useState<string | null>(null);
  const { go, fault } = useOrder(connections);
  const kindOf = (name: string) => kinds.find(({ processor }) => processor === name);
  const changed = connections.find(({ connectionId }) => connectionId === changing);
  const changedKind = changed && kindOf(changed.processor);
  return (
    <>
      <FormError fault={fault} />
      <ol class="stack">
        {connections.map((connection, index) => {
          const kind = kindOf(connection.processor);
          const change = () => setChanging(connection.connectionId);
          const position = index + 1;
          return (
            <li key={connection.connectionId}>
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
    <Page title={texts.screens.processors} actions={!isEmpty && button}>
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
