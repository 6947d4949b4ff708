// The actions of an endpoint: edit, disable and enable, roll the secret, delete. Disabling can be undone. Actions
// that can't be undone ask for confirmation.

import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useApiMutation } from '../../api/queries.ts';
import { useAction, useShowFault } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { defaultOverlap, OverlapField, type OverlapHours } from '../../parts/secrets.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { EditEndpoint, EndpointSecret } from './endpoint-form.tsx';
import type { Endpoint } from './endpoint-status.tsx';
import { useWebhookTexts } from './texts.ts';

const invalidates = ['listWebhookEndpoints', 'getWebhookEndpoint', 'listWebhookDeliveries'] as const;

type DialogProps = { endpoint: Endpoint; onClose(): void };

function SwitchOn({ endpoint, onClose }: DialogProps) {
  const texts = useWebhookTexts();
  const { switchOn } = useCommonTexts();
  const change = useAction('updateWebhookEndpoint', texts.switchedOn, { invalidates, onClose });
  return (
    <FormDialog
      title={texts.switchOnTitle}
      action={switchOn}
      request={change}
      onSubmit={() => change.mutate({ path: { endpointId: endpoint.id }, body: { status: 'enabled' } })}
      onClose={onClose}
    >
      <p>{texts.switchOnHint}</p>
    </FormDialog>
  );
}

/** Disables at once and offers to undo it. It outlives its button, which is hidden while the endpoint is disabled. */
function useSwitchOff({ id: endpointId }: Endpoint) {
  const texts = useWebhookTexts();
  const { undo } = useCommonTexts();
  const showToast = useShowToast();
  const onError = useShowFault();
  const change = useApiMutation('updateWebhookEndpoint', { invalidates });
  const path = { endpointId };
  const switchOn = () => change.mutate({ path, body: { status: 'enabled' } }, { onError });
  const onSuccess = () => showToast(texts.switchedOff, { label: undo, run: switchOn });
  const switchOff = () => change.mutate({ path, body: { status: 'disabled' } }, { onError, onSuccess });
  return { isWorking: change.isPending, switchOff };
}

function Roll({ endpoint: { id: endpointId, previousSecretUntil }, onClose }: DialogProps) {
  const texts = useWebhookTexts();
  const [hours, setHours] = useState<OverlapHours>(defaultOverlap);
  const [secret, setSecret] = useState<string | null>(null);
  const roll = useApiMutation('rollWebhookSecret', {
    invalidates,
    onSuccess: (created) => setSecret(created.secret),
  });
  if (secret !== null) return <EndpointSecret secret={secret} onClose={onClose} />;
  return (
    <FormDialog
      title={texts.rollAction}
      action={texts.rollAction}
      request={roll}
      onSubmit={() => roll.mutate({ path: { endpointId }, body: { overlapHours: Number(hours) } })}
      onClose={onClose}
    >
      {previousSecretUntil && <p class="notice notice-busy">{texts.rollAgain}</p>}
      <OverlapField hint={texts.rollHint} value={hours} onInput={setHours} />
    </FormDialog>
  );
}

function Delete({ endpoint: { id: endpointId, url }, onClose }: DialogProps) {
  const texts = useWebhookTexts();
  const [, navigate] = useLocation();
  const remove = useAction('deleteWebhookEndpoint', texts.deleted, {
    invalidates: ['listWebhookEndpoints'],
    onSuccess: () => navigate('/webhooks'),
  });
  return (
    <FormDialog
      title={texts.deleteTitle}
      action={texts.deleteAction}
      weight="bad"
      request={remove}
      onSubmit={() => remove.mutate({ path: { endpointId } })}
      onClose={onClose}
    >
      <p>
        <bdi class="mono">{url}</bdi>
      </p>
      <p>{texts.deleteHint}</p>
    </FormDialog>
  );
}

const dialogs = { edit: EditEndpoint, switchOn: SwitchOn, roll: Roll, delete: Delete } as const;

/** The buttons and their dialogs. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const texts = useWebhookTexts();
  const common = useCommonTexts();
  const [opened, setOpened] = useState<keyof typeof dialogs | null>(null);
  const off = useSwitchOff(endpoint);
  const Opened = opened && dialogs[opened];
  return (
    <>
      <Button onClick={() => setOpened('edit')}>{texts.edit}</Button>
      {endpoint.status === 'enabled' ? (
        <Button isWorking={off.isWorking} onClick={off.switchOff}>
          {common.switchOff}
        </Button>
      ) : (
        <Button weight="main" onClick={() => setOpened('switchOn')}>
          {common.switchOn}
        </Button>
      )}
      <Button onClick={() => setOpened('roll')}>{texts.roll}</Button>
      <Button weight="bad" onClick={() => setOpened('delete')}>
        {common.delete}
      </Button>
      {Opened && <Opened endpoint={endpoint} onClose={() => setOpened(null)} />}
    </>
  );
}
