// The form of a new or an existing endpoint, and the secret of a new one.

import { useState } from 'preact/hooks';
import type { OperationResponse } from '../../api/call.ts';
import { useApiMutation } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormError, TextField } from '../../parts/field.tsx';
import { SecretShownOnce } from '../../parts/secrets.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { CodeBlock } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import type { Endpoint } from './endpoint-status.tsx';
import { EventChoice, everyEvent } from './event-choice.tsx';
import { useWebhookTexts } from './texts.ts';

const refreshes = ['listWebhookEndpoints', 'getWebhookEndpoint'] as const;
const shown = ['url', 'description', 'events'];

type Draft = { url: string; description: string; events: readonly string[] };

type FormProps = {
  title: string;
  act: string;
  first: Draft;
  fault: unknown;
  isWorking: boolean;
  onSend(draft: Draft): void;
  onClose(): void;
};

function EndpointForm({ title, act, first, fault, isWorking, onSend, onClose }: FormProps) {
  const texts = useWebhookTexts();
  const { cancel } = useCommonTexts();
  const { fields } = useExplain()(fault);
  const [draft, setDraft] = useState(first);
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWorking) onSend(draft);
        }}
      >
        <FormError fault={fault} shown={shown} />
        <TextField
          label={texts.url}
          hint={texts.urlHint}
          error={fields.url}
          type="url"
          dir="ltr"
          placeholder="https://shop.example/hooks/paylink"
          autoComplete="off"
          value={draft.url}
          onInput={(url) => setDraft({ ...draft, url })}
        />
        <TextField
          label={texts.description}
          hint={texts.descriptionHint}
          error={fields.description}
          isOptional
          maxLength={500}
          value={draft.description}
          onInput={(description) => setDraft({ ...draft, description })}
        />
        <EventChoice
          chosen={draft.events}
          onChoose={(events) => setDraft({ ...draft, events })}
          error={fields.events}
        />
        <div class="actions">
          <Button type="submit" weight="main" isWorking={isWorking}>
            {act}
          </Button>
          <Button onClick={onClose}>{cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}

type NewEndpoint = OperationResponse<'createWebhookEndpoint'>;

/** Creates an endpoint. `onMade` gets it with its secret. */
export function CreateEndpoint({
  onMade,
  onClose,
}: {
  onMade(endpoint: NewEndpoint): void;
  onClose(): void;
}) {
  const texts = useWebhookTexts();
  const create = useApiMutation('createWebhookEndpoint', { refreshes, onDone: onMade });
  return (
    <EndpointForm
      title={texts.create}
      act={texts.create}
      first={{ url: '', description: '', events: everyEvent }}
      fault={create.error}
      isWorking={create.isPending}
      onSend={({ url, description, events }) => {
        const about = description.trim() === '' ? {} : { description };
        create.mutate({ body: { url: url.trim(), events: [...events], ...about } });
      }}
      onClose={onClose}
    />
  );
}

/** Changes URL, description and events of an endpoint. */
export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose(): void }) {
  const texts = useWebhookTexts();
  const { save, saved } = useCommonTexts();
  const showToast = useShowToast();
  const change = useApiMutation('updateWebhookEndpoint', {
    refreshes,
    onDone: () => {
      showToast(saved);
      onClose();
    },
  });
  const { id: endpointId, url, description, events } = endpoint;
  return (
    <EndpointForm
      title={texts.editTitle}
      act={save}
      first={{ url, description: description ?? '', events }}
      fault={change.error}
      isWorking={change.isPending}
      onSend={(draft) => {
        const about = draft.description.trim() === '' ? null : draft.description;
        const body = { url: draft.url.trim(), events: [...draft.events], description: about };
        change.mutate({ path: { endpointId }, body });
      }}
      onClose={onClose}
    />
  );
}

const verifyLines = `import { verifyWebhook } from 'paylink-sdk/webhooks';

const { id, payload } = await verifyWebhook(rawBody, headers, process.env.PAYLINK_WEBHOOK_SECRET);`;

/** Shows the secret of an endpoint once, and its purpose. */
export function EndpointSecret({ secret, onClose }: { secret: string; onClose(): void }) {
  const texts = useWebhookTexts();
  return (
    <SecretShownOnce title={texts.secretTitle} label={texts.secret} secret={secret} onClose={onClose}>
      <p>{texts.secretHint}</p>
      <CodeBlock label="TypeScript" text={verifyLines} />
    </SecretShownOnce>
  );
}
