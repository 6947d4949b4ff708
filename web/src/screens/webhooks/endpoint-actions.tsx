// The actions of an endpoint: edit, disable and enable, roll the secret, delete. Disabling can be undone. Actions
// that can't be undone ask for confirmation.

import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useApiMutation } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { defaultOverlap, OverlapField, type OverlapHours } from '../../parts/secrets.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { useExplain } from '../../texts/problems.ts';
import { EditEndpoint, EndpointSecret } from './endpoint-form.tsx';
import type { Endpoint } from './endpoint-status.tsx';
import { useWebhookTexts } from './texts.ts';

const refreshes = ['listWebhookEndpoints', 'getWebhookEndpoint', 'listWebhookDeliveries'] as const;

type Asked = { endpoint: Endpoint; onClose(): void };

function SwitchOn({ endpoint, onClose }: Asked) {
  const texts = useWebhookTexts();
  const showToast = useShowToast();
  const change = useApiMutation('updateWebhookEndpoint', {
    refreshes,
    onDone: () => {
      showToast(texts.switchedOn);
      onClose();
    },
  });
  return (
    <Confirm
      title={texts.switchOnTitle}
      act={texts.switchOn}
      weight="main"
      isWorking={change.isPending}
      fault={change.error}
      onConfirm={() => change.mutate({ path: { endpointId: endpoint.id }, body: { status: 'enabled' } })}
      onClose={onClose}
    >
      <p>{texts.switchOnHint}</p>
    </Confirm>
  );
}

/** Disables at once and offers to undo it. It outlives its button, which is hidden while the endpoint is disabled. */
function useSwitchOff({ id: endpointId }: Endpoint) {
  const texts = useWebhookTexts();
  const showToast = useShowToast();
  const explain = useExplain();
  const change = useApiMutation('updateWebhookEndpoint', { refreshes });
  const path = { endpointId };
  const onError = (fault: Error) => showToast(explain(fault).sentence);
  const switchOn = () => change.mutate({ path, body: { status: 'enabled' } }, { onError });
  const onSuccess = () => showToast(texts.switchedOff, { label: texts.undo, run: switchOn });
  const switchOff = () => change.mutate({ path, body: { status: 'disabled' } }, { onError, onSuccess });
  return { isWorking: change.isPending, switchOff };
}

function Roll({ endpoint, onClose }: Asked) {
  const texts = useWebhookTexts();
  const [hours, setHours] = useState<OverlapHours>(defaultOverlap);
  const [secret, setSecret] = useState<string | null>(null);
  const roll = useApiMutation('rollWebhookSecret', { refreshes, onDone: (made) => setSecret(made.secret) });
  if (secret !== null) return <EndpointSecret secret={secret} onClose={onClose} />;
  return (
    <Confirm
      title={texts.rollTitle}
      act={texts.rollAct}
      weight="main"
      isWorking={roll.isPending}
      fault={roll.error}
      onConfirm={() =>
        roll.mutate({ path: { endpointId: endpoint.id }, body: { overlapHours: Number(hours) } })
      }
      onClose={onClose}
    >
      {endpoint.previousSecretUntil && <p class="notice notice-busy">{texts.rollAgain}</p>}
      <OverlapField hint={texts.rollHint} value={hours} onInput={setHours} />
    </Confirm>
  );
}

function Remove({ endpoint, onClose }: Asked) {
  const texts = useWebhookTexts();
  const showToast = useShowToast();
  const [, navigate] = useLocation();
  const remove = useApiMutation('deleteWebhookEndpoint', {
    refreshes: ['listWebhookEndpoints'],
    onDone: () => {
      navigate('/webhooks');
      showToast(texts.removed);
    },
  });
  return (
    <Confirm
      title={texts.removeTitle}
      act={texts.removeAct}
      isWorking={remove.isPending}
      fault={remove.error}
      onConfirm={() => remove.mutate({ path: { endpointId: endpoint.id } })}
      onClose={onClose}
    >
      <p>
        <bdi class="mono">{endpoint.url}</bdi>
      </p>
      <p>{texts.removeHint}</p>
    </Confirm>
  );
}

const dialogs = { edit: EditEndpoint, switchOn: SwitchOn, roll: Roll, remove: Remove } as const;

/** The buttons and their dialogs. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const texts = useWebhookTexts();
  const [opened, setOpened] = useState<keyof typeof dialogs | null>(null);
  const off = useSwitchOff(endpoint);
  const Opened = opened && dialogs[opened];
  return (
    <>
      <Button onClick={() => setOpened('edit')}>{texts.edit}</Button>
      {endpoint.status === 'enabled' ? (
        <Button isWorking={off.isWorking} onClick={off.switchOff}>
          {texts.switchOff}
        </Button>
      ) : (
        <Button weight="main" onClick={() => setOpened('switchOn')}>
          {texts.switchOn}
        </Button>
      )}
      <Button onClick={() => setOpened('roll')}>{texts.roll}</Button>
      <Button weight="bad" onClick={() => setOpened('remove')}>
        {texts.remove}
      </Button>
      {Opened && <Opened endpoint={endpoint} onClose={() => setOpened(null)} />}
    </>
  );
}
