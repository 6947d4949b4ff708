// The actions of a connection: check, change, enable or disable, delete. Disabling can be undone. Deleting asks
// for confirmation.

import { useState } from 'preact/hooks';
import { useApiMutation } from '../../api/queries.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import type { Connection } from './connections.ts';
import type { Kind } from './german-words.ts';
import { useProcessorTexts } from './texts.ts';
import { useProcessorWords } from './words.ts';

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
    onSuccess: ({ id, enabled }) => {
      const run = () => change.mutate({ path: { connectionId: id }, body: { enabled: !enabled } });
      showToast(enabled ? texts.switchedOn(title) : texts.switchedOff(title), { label: undo, run });
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
      title={texts.deleteTitle(title)}
      action={texts.deleteAction}
      weight="bad"
      request={remove}
      onSubmit={() => remove.mutate({ path: { connectionId: connection.id } })}
      onClose={onClose}
    >
      <p>{texts.deleteText}</p>
      <p>{texts.deleteInstead}</p>
    </FormDialog>
  );
}

/** The buttons below a connection. */
export function ConnectionActions({ connection, kind, onChange }: ConnectionActionsProps) {
  const texts = useProcessorTexts();
  const common = useCommonTexts();
  const title = useProcessorWords().titleOf(connection);
  const [isDeleting, setIsDeleting] = useState(false);
  const path = { connectionId: connection.id };
  const switching = useSwitching(title);
  const checked = ({ holder }: { holder: string | null }) =>
    holder ? texts.checked(holder) : texts.checkedPlain;
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
        {kind && <Button onClick={onChange}>{texts.change}</Button>}
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
