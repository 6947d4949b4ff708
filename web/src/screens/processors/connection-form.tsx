// Connects a processor, and changes a connection. The processor defines the fields. A secret is typed into a field
// that hides it, is not stored in the browser, and is never shown again.

import { useState } from 'preact/hooks';
import { ActionForm, type ActionFormProps, Dialog } from '../../parts/dialog.tsx';
import { bindFields, CheckField, FieldGroup, SelectField, TextField } from '../../parts/field.tsx';
import { useAction } from '../../parts/toasts.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import {
  bodyOf,
  type Connection,
  changeOf,
  emptyForm,
  type Field,
  type Form,
  formOf,
  isOfWebhook,
  type Kind,
} from './connections.ts';
import { useProcessorTexts } from './texts.ts';
import { useProcessorWords } from './words.ts';

const invalidates = ['listProcessorConnections'] as const;

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
  const message = error?.replace(field.help, '').trim();
  return (
    <TextField
      label={label}
      hint={isKept ? `${texts.keepSecret} ${help}` : help}
      error={message}
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
  const change = (part: Partial<Form>) => setForm({ ...form, ...part });
  const toggle = (currency: string, isOn: boolean) =>
    change({
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
          onInput={(value) => change({ credentials: { ...credentials, [field.name]: value } })}
        />
      ))}
      {kind.currencies.length > 1 && (
        <FieldGroup class="field" label={texts.offeredIn} error={errors.currencies}>
          {kind.currencies.map((currency) => (
            <CheckField
              key={currency}
              label={currency}
              value={currencies.includes(currency)}
              onInput={(isOn) => toggle(currency, isOn)}
            />
          ))}
        </FieldGroup>
      )}
      <TextField
        {...bindFields(form, change, errors)('name')}
        label={texts.name}
        hint={texts.nameHint}
        isOptional
        autoComplete="off"
      />
    </>
  );
}

type ConnectionFormProps = Omit<FieldsProps, 'errors'> & Omit<ActionFormProps, 'children' | 'shown'>;

function ConnectionForm({ kind, connection, form, setForm, ...rest }: ConnectionFormProps) {
  const texts = useProcessorTexts();
  const { fields } = useExplain()(rest.request.error);
  const shown = ['name', 'currencies', ...kind.fields.map(({ name }) => `credentials.${name}`)];
  return (
    <ActionForm {...rest} noValidate shown={shown}>
      <Fields {...{ kind, connection, form, setForm }} errors={fields} />
      <p role="status" class="quiet small">
        {rest.request.isPending && kind.fields.length > 0 && texts.checking}
      </p>
    </ActionForm>
  );
}

function NewConnection({ kind, onClose }: { kind: Kind; onClose(): void }) {
  const texts = useProcessorTexts();
  const { titleOf } = useProcessorWords();
  const [form, setForm] = useState<Form>(() => emptyForm(kind));
  const create = useAction('createProcessorConnection', texts.connected({ title: titleOf(kind) }), {
    invalidates,
    onClose,
  });
  return (
    <ConnectionForm
      {...{ kind, form, setForm, onClose }}
      connection={null}
      action={texts.connectAction}
      request={create}
      onSubmit={() => create.mutate({ body: bodyOf(kind, form) })}
    />
  );
}

/** Fields that are only known after the webhook address was entered at the processor are asked for later. */
const toBegin = (kind: Kind): Kind => ({
  ...kind,
  fields: kind.fields.filter((field) => field.isRequired || !isOfWebhook(field)),
});

export function ConnectDialog({ kinds, onClose }: { kinds: readonly Kind[]; onClose(): void }) {
  const texts = useProcessorTexts();
  const { titleOf } = useProcessorWords();
  const [processor, setProcessor] = useState(kinds[0]?.processor ?? '');
  const kind = kinds.find((one) => one.processor === processor);
  return (
    <Dialog title={texts.connect} onClose={onClose}>
      {kind ? (
        <div class="stack">
          <SelectField
            label={texts.processor}
            hint={texts.takes[kind.takes]}
            value={processor}
            onInput={setProcessor}
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

type ChangeDialogProps = { kind: Kind; connection: Connection; onClose(): void };

export function ChangeDialog({ kind, connection, onClose }: ChangeDialogProps) {
  const texts = useProcessorTexts();
  const common = useCommonTexts();
  const { titleOf } = useProcessorWords();
  const [before] = useState(() => formOf(connection));
  const [form, setForm] = useState(before);
  const change = useAction('updateProcessorConnection', common.saved, { invalidates, onClose });
  const submit = () => {
    const body = changeOf(before, form);
    if (Object.keys(body).length === 0) onClose();
    else change.mutate({ path: { connectionId: connection.connectionId }, body });
  };
  return (
    <Dialog title={texts.changeTitle({ title: titleOf(kind) })} onClose={onClose}>
      <ConnectionForm
        {...{ kind, connection, form, setForm, onClose }}
        action={common.save}
        request={change}
        onSubmit={submit}
      />
    </Dialog>
  );
}
