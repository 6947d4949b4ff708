// The actions of a connection: check, change, enable or disable, delete. Disabling can be undone. Deleting asks
// for confirmation.

import { useState } from 'preact/hooks';
import { useApiMutation } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { useExplain } from '../../texts/problems.ts';
import type { Connection } from './connections.ts';
import type { Kind } from './german-words.ts';
import { useProcessorTexts } from './texts.ts';
import { useProcessorWords } from './words.ts';

export type ConnectionActionsProps = { connection: Connection; kind: Kind | undefined; onChange(): void };

const refreshes = ['listProcessorConnections'] as const;

/** The processor's response to a check of stored credentials. */
function CheckFault({
  fault,
  connection,
  kind,
}: Omit<ConnectionActionsProps, 'onChange'> & { fault: unknown }) {
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
        {Object.entries(fields).map(([name, said]) => (
          <li key={name}>
            {labelOf(name)}: {said}
          </li>
        ))}
      </ul>
    </div>
  );
}

function useSwitching(title: string) {
  const texts = useProcessorTexts();
  const showToast = useShowToast();
  const act = useApiMutation('updateProcessorConnection', {
    refreshes,
    onDone: ({ id, enabled }) => {
      const back = () => act.mutate({ path: { connectionId: id }, body: { enabled: !enabled } });
      const words = enabled ? texts.switchedOn(title) : texts.switchedOff(title);
      showToast(words, { label: texts.undo, run: back });
    },
  });
  return act;
}

type DeletingProps = { connection: Connection; title: string; onClose(): void };

function Deleting({ connection, title, onClose }: DeletingProps) {
  const texts = useProcessorTexts();
  const showToast = useShowToast();
  const act = useApiMutation('deleteProcessorConnection', {
    refreshes,
    onDone: () => {
      showToast(texts.deleted);
      onClose();
    },
  });
  return (
    <Confirm
      title={texts.deleteTitle(title)}
      act={texts.deleteAct}
      isWorking={act.isPending}
      fault={act.error}
      onConfirm={() => act.mutate({ path: { connectionId: connection.id } })}
      onClose={onClose}
    >
      <p>{texts.deleteText}</p>
      <p>{texts.deleteInstead}</p>
    </Confirm>
  );
}

/** The buttons below a connection. */
export function ConnectionActions({ connection, kind, onChange }: ConnectionActionsProps) {
  const texts = useProcessorTexts();
  const showToast = useShowToast();
  const title = useProcessorWords().titleOf(connection);
  const [isDeleting, setIsDeleting] = useState(false);
  const path = { connectionId: connection.id };
  const switching = useSwitching(title);
  const checking = useApiMutation('checkProcessorConnection', {
    refreshes,
    onDone: ({ holder }) => showToast(holder ? texts.checked(holder) : texts.checkedPlain),
  });
  return (
    <>
      {checking.error && <CheckFault {...{ connection, kind }} fault={checking.error} />}
      {switching.error && <CheckFault {...{ connection, kind }} fault={switching.error} />}
      <div class="actions">
        {kind && kind.fields.length > 0 && (
          <Button isWorking={checking.isPending} onClick={() => checking.mutate({ path })}>
            {texts.check}
          </Button>
        )}
        {kind && <Button onClick={onChange}>{texts.change}</Button>}
        <Button
          isWorking={switching.isPending}
          onClick={() => switching.mutate({ path, body: { enabled: !connection.enabled } })}
        >
          {connection.enabled ? texts.switchOff : texts.switchOn}
        </Button>
        <Button weight="bad" onClick={() => setIsDeleting(true)}>
          {texts.delete}
        </Button>
      </div>
      {isDeleting && <Deleting {...{ connection, title }} onClose={() => setIsDeleting(false)} />}
    </>
  );
}
