// The form of a new or an existing endpoint, and the secret of a new one.

import type { OperationResponse } from '../../api/call.ts';
import { useApiMutation } from '../../api/queries.ts';
import { type ActionFormProps, FormDialog } from '../../parts/dialog.tsx';
import { CheckField, RadioField, TextField, useFields } from '../../parts/field.tsx';
import { SecretShownOnce } from '../../parts/secrets.tsx';
import { useAction } from '../../parts/toasts.tsx';
import { CodeBlock } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useEventTexts } from '../../texts/events.ts';
import type { Endpoint } from './endpoint-status.tsx';
import { eventGroups } from './event-groups.ts';
import { useWebhookTexts } from './texts.ts';

/** All types, including future ones. */
const everyEvent: readonly string[] = ['*'];
export const isEvery = (events: readonly string[]) => events.includes('*');

/** The events that most shops use. */
const defaultEvents: readonly string[] = ['payment.paid', 'payment.failed', 'refund.succeeded'];

type EventChoiceProps = {
  value: readonly string[];
  onInput(events: readonly string[]): void;
  error?: string | undefined;
};

function Types({ value, onInput }: EventChoiceProps) {
  const { groups: names } = useWebhookTexts();
  const eventText = useEventTexts();
  const change = (type: string, isOn: boolean) =>
    onInput(isOn ? [...value, type] : value.filter((one) => one !== type));
  const groups = Object.keys(eventGroups) as (keyof typeof eventGroups)[];
  return (
    <div class="event-groups">
      {groups.map((group) => (
        <fieldset key={group} class="stack-small event-group">
          <legend>{names[group]}</legend>
          {eventGroups[group].map((type) => (
            <CheckField
              key={type}
              label={eventText(type)}
              hint={type}
              value={value.includes(type)}
              onInput={(isOn) => change(type, isOn)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

function EventChoice({ value, onInput, error }: EventChoiceProps) {
  const texts = useWebhookTexts();
  const isAll = isEvery(value);
  return (
    <RadioField
      class="stack event-choice"
      label={texts.events}
      error={error}
      value={isAll ? 'all' : 'some'}
      choices={[
        { value: 'all', label: texts.allEvents, hint: isAll ? texts.allEventsHint : undefined },
        { value: 'some', label: texts.someEvents },
      ]}
      onInput={(chosen) => onInput(chosen === 'all' ? everyEvent : defaultEvents)}
    >
      {!isAll && <Types value={value} onInput={onInput} />}
    </RadioField>
  );
}

const invalidates = ['listWebhookEndpoints', 'getWebhookEndpoint'] as const;

type Draft = { url: string; description: string; events: readonly string[] };

type FormProps = Pick<ActionFormProps, 'action' | 'request' | 'onClose'> & {
  title?: string;
  first: Draft;
  onSend(draft: Draft): void;
};

function EndpointForm({ first, onSend, ...dialog }: FormProps) {
  const texts = useWebhookTexts();
  const { values, field } = useFields(first, dialog.request.error);
  return (
    <FormDialog {...dialog} isWide noValidate shown={Object.keys(first)} onSubmit={() => onSend(values)}>
      <TextField
        {...field('url')}
        label={texts.url}
        hint={texts.urlHint}
        type="url"
        dir="ltr"
        placeholder="https://shop.example/hooks/paylink"
        autoComplete="off"
      />
      <TextField
        {...field('description')}
        label={texts.description}
        hint={texts.descriptionHint}
        isOptional
        maxLength={500}
      />
      <EventChoice {...field('events')} />
    </FormDialog>
  );
}

type CreateEndpointProps = {
  onCreated(endpoint: OperationResponse<'createWebhookEndpoint'>): void;
  onClose(): void;
};

export function CreateEndpoint({ onCreated, onClose }: CreateEndpointProps) {
  const texts = useWebhookTexts();
  const create = useApiMutation('createWebhookEndpoint', { invalidates, onSuccess: onCreated });
  return (
    <EndpointForm
      action={texts.create}
      first={{ url: '', description: '', events: everyEvent }}
      request={create}
      onSend={({ url, description, events }) => {
        const about = description.trim() === '' ? {} : { description };
        create.mutate({ body: { url: url.trim(), events: [...events], ...about } });
      }}
      onClose={onClose}
    />
  );
}

export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose(): void }) {
  const texts = useWebhookTexts();
  const { save, saved } = useCommonTexts();
  const change = useAction('updateWebhookEndpoint', saved, { invalidates, onClose });
  const { endpointId, url, description, events } = endpoint;
  return (
    <EndpointForm
      title={texts.editTitle}
      action={save}
      first={{ url, description: description ?? '', events }}
      request={change}
      onSend={(draft) => {
        const about = draft.description.trim() === '' ? null : draft.description;
        const body = { url: draft.url.trim(), events: [...draft.events], description: about };
        change.mutate({ path: { endpointId }, body });
      }}
      onClose={onClose}
    />
  );
}

const verifyLines = `import { verifyWebhook } from '@paylink/sdk/webhooks';

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
