// Connects a processor, and changes a connection. The processor defines the fields. A secret is typed into a field
// that hides it, is not stored in the browser, and is never shown again.

import { useState } from 'preact/hooks';
import { useApiMutation } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { CheckField, FormError, SelectField, TextField } from '../../parts/field.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import {
  bodyOf,
  type Connection,
  changeOf,
  emptyForm,
  type Form,
  formOf,
  isOfWebhook,
} from './connections.ts';
import type { Field, Kind } from './german-words.ts';
import { useProcessorTexts } from './texts.ts';
import { useProcessorWords } from './words.ts';

type CredentialFieldProps = {
  kind: Kind;
  field: Field;
  value: string;
  /** Whether the service has a value: then it may be left empty. */
  isSet: boolean;
  error: string | undefined;
  onInput(value: string): void;
};

function CredentialField({ kind, field, value, isSet, error, onInput }: CredentialFieldProps) {
  const texts = useProcessorTexts();
  const { label, help } = useProcessorWords().wordsOf(kind.processor, field);
  const isKept = field.isSecret && isSet;
  // The API appends the help, which is already shown above, to the error of a missing field.
  const wrong = error?.replace(field.help, '').trim();
  return (
    <TextField
      label={label}
      hint={isKept ? `${texts.keepSecret} ${help}` : help}
      error={wrong}
      isOptional={!field.isRequired}
      type={field.isSecret ? 'password' : 'text'}
      // The browser must not offer to save it, nor fill in a password.
      autoComplete={field.isSecret ? 'new-password' : 'off'}
      spellcheck={false}
      placeholder={isKept ? '••••••••' : undefined}
      value={value}
      onInput={onInput}
    />
  );
}

type FieldsProps = {
  kind: Kind;
  connection: Connection | null;
  form: Form;
  setForm(form: Form): void;
  errors: Readonly<Record<string, string>>;
};

function Fields({ kind, connection, form, setForm, errors }: FieldsProps) {
  const texts = useProcessorTexts();
  const { currencies, credentials } = form;
  const toggle = (currency: string, isOn: boolean) =>
    setForm({
      ...form,
      // In the processor's order, whatever the order of selection.
      currencies: kind.currencies.filter((one) => (one === currency ? isOn : currencies.includes(one))),
    });
  return (
    <>
      {kind.fields.map((field) => (
        <CredentialField
          key={field.name}
          kind={kind}
          field={field}
          value={credentials[field.name] ?? ''}
          isSet={connection?.credentials.some(({ name, isSet }) => name === field.name && isSet) ?? false}
          error={errors[`credentials.${field.name}`]}
          onInput={(value) => setForm({ ...form, credentials: { ...credentials, [field.name]: value } })}
        />
      ))}
      {kind.currencies.length > 1 && (
        <fieldset class="field">
          <legend>{texts.offeredIn}</legend>
          {kind.currencies.map((currency) => (
            <CheckField
              key={currency}
              label={currency}
              isOn={currencies.includes(currency)}
              onInput={(isOn) => toggle(currency, isOn)}
            />
          ))}
          {errors.currencies && <p class="field-error">{errors.currencies}</p>}
        </fieldset>
      )}
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        error={errors.name}
        isOptional
        autoComplete="off"
        value={form.name}
        onInput={(name) => setForm({ ...form, name })}
      />
    </>
  );
}

type FrameProps = FieldsProps & {
  act: string;
  isWorking: boolean;
  fault: unknown;
  onSubmit(): void;
  onClose(): void;
};

function FormFrame({ act, isWorking, fault, onSubmit, onClose, ...rest }: Omit<FrameProps, 'errors'>) {
  const texts = useProcessorTexts();
  const { cancel } = useCommonTexts();
  const explain = useExplain();
  const shown = ['name', 'currencies', ...rest.kind.fields.map(({ name }) => `credentials.${name}`)];
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWorking) onSubmit();
      }}
    >
      <FormError fault={fault} shown={shown} />
      <Fields {...rest} errors={fault ? explain(fault).fields : {}} />
      <p role="status" class="quiet small">
        {isWorking && rest.kind.fields.length > 0 && texts.asking}
      </p>
      <div class="actions">
        <Button type="submit" weight="main" isWorking={isWorking}>
          {act}
        </Button>
        <Button onClick={onClose}>{cancel}</Button>
      </div>
    </form>
  );
}

function NewConnection({ kind, onClose }: { kind: Kind; onClose(): void }) {
  const texts = useProcessorTexts();
  const showToast = useShowToast();
  const { titleOf } = useProcessorWords();
  const [form, setForm] = useState<Form>(() => emptyForm(kind));
  const act = useApiMutation('createProcessorConnection', {
    refreshes: ['listProcessorConnections'],
    onDone: () => {
      showToast(texts.connected(titleOf(kind)));
      onClose();
    },
  });
  return (
    <FormFrame
      {...{ kind, form, setForm, onClose }}
      connection={null}
      act={texts.connectAct}
      isWorking={act.isPending}
      fault={act.error}
      onSubmit={() => act.mutate({ body: bodyOf(kind, form) })}
    />
  );
}

/** Fields that are only known after the webhook address was entered at the processor are asked for later. */
const toBegin = (kind: Kind): Kind => ({
  ...kind,
  fields: kind.fields.filter((field) => field.isRequired || !isOfWebhook(field)),
});

/** Chooses a processor and connects it. */
export function ConnectDialog({ kinds, onClose }: { kinds: readonly Kind[]; onClose(): void }) {
  const texts = useProcessorTexts();
  const { titleOf } = useProcessorWords();
  const [wanted, setWanted] = useState(kinds[0]?.processor ?? '');
  const kind = kinds.find(({ processor }) => processor === wanted);
  return (
    <Dialog title={texts.connect} onClose={onClose}>
      {kind ? (
        <div class="stack">
          <SelectField
            label={texts.processor}
            hint={texts.takes[kind.takes]}
            value={wanted}
            onInput={setWanted}
            choices={kinds.map((one) => ({ value: one.processor, label: titleOf(one) }))}
          />
          <NewConnection key={kind.processor} kind={toBegin(kind)} onClose={onClose} />
        </div>
      ) : (
        <p>{texts.noneToConnect}</p>
      )}
    </Dialog>
  );
}

export type ChangeDialogProps = { kind: Kind; connection: Connection; onClose(): void };

/** Changes a connection. */
export function ChangeDialog({ kind, connection, onClose }: ChangeDialogProps) {
  const texts = useProcessorTexts();
  const showToast = useShowToast();
  const { titleOf } = useProcessorWords();
  const [before] = useState(() => formOf(connection));
  const [form, setForm] = useState(before);
  const act = useApiMutation('updateProcessorConnection', {
    refreshes: ['listProcessorConnections'],
    onDone: () => {
      showToast(texts.changed);
      onClose();
    },
  });
  const submit = () => {
    const body = changeOf(before, form);
    if (Object.keys(body).length === 0) onClose();
    else act.mutate({ path: { connectionId: connection.id }, body });
  };
  return (
    <Dialog title={texts.changeTitle(titleOf(kind))} onClose={onClose}>
      <FormFrame
        {...{ kind, connection, form, setForm, onClose }}
        act={texts.change}
        isWorking={act.isPending}
        fault={act.error}
        onSubmit={submit}
      />
    </Dialog>
  );
}
