// The form of a new service key: what it may do, until when, and from where.

import type { Input, Mode } from '../../api/call.ts';
import { useApiMutation } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { CheckField, FieldGroup, SelectField, TextArea, TextField, useFields } from '../../parts/field.tsx';
import { LiveReasons } from './key-parts.tsx';
import { useKeyTexts, useServiceKeyTexts } from './texts.ts';

type Body = Input<'createServiceKey'>['body'];
type Scope = Exclude<Body['scopes'][number], 'payments' | 'read'>;

/** What most shops need. */
const defaultScopes: readonly Scope[] = ['payments:create', 'payments:read'];

const lifetimes = ['never', '30', '90', '365'] as const;
type Lifetime = (typeof lifetimes)[number];
const dayMs = 24 * 60 * 60 * 1000;

const expiryOf = (lifetime: Lifetime) =>
  lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString();

/** The addresses of a text with one on each line; commas separate them too. */
export const addressesOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

type ScopeChoiceProps = {
  value: readonly Scope[];
  error?: string | undefined;
  onInput(scopes: readonly Scope[]): void;
};

function ScopeChoice({ value, error, onInput }: ScopeChoiceProps) {
  const texts = useServiceKeyTexts();
  const { may } = useSession();
  const offered = (Object.keys(texts.scopes) as Scope[]).filter((scope) => may(scope));
  const change = (scope: Scope, isOn: boolean) =>
    onInput(offered.filter((one) => (one === scope ? isOn : value.includes(one))));
  return (
    <FieldGroup class="scopes field" label={texts.rights} hint={texts.rightsHint} error={error}>
      {offered.map((scope) => (
        <CheckField
          key={scope}
          label={texts.scopes[scope]}
          hint={scope}
          value={value.includes(scope)}
          onInput={(isOn) => change(scope, isOn)}
        />
      ))}
    </FieldGroup>
  );
}

type Draft = { name: string; mode: Mode; scopes: readonly Scope[]; lifetime: Lifetime; addresses: string };

const firstDraft: Draft = {
  name: '',
  mode: 'test',
  scopes: defaultScopes,
  lifetime: 'never',
  addresses: '',
};

type CreateProps = { onCreated(key: string): void; onClose(): void };

export function CreateServiceKey({ onCreated, onClose }: CreateProps) {
  const texts = useServiceKeyTexts();
  const keyTexts = useKeyTexts();
  const { may } = useSession();
  const create = useApiMutation('createServiceKey', {
    invalidates: ['listServiceKeys'],
    onSuccess: ({ key }) => onCreated(key),
  });
  const { values, field } = useFields(firstDraft, create.error);
  const send = ({ name, mode, scopes, lifetime, addresses }: Draft) =>
    create.mutate({
      body: {
        ...{ name: name.trim() || texts.key, mode, scopes: [...scopes] },
        ...{ expiresAt: expiryOf(lifetime), allowedAddresses: addressesOf(addresses) },
      },
    });
  return (
    <FormDialog
      action={texts.create}
      isWide
      request={create}
      shown={['name', 'mode', 'scopes', 'expiresAt', 'allowedAddresses']}
      onSubmit={() => send(values)}
      onClose={onClose}
    >
      <LiveReasons fault={create.error} />
      <TextField
        {...field('name')}
        label={texts.name}
        hint={keyTexts.nameHint}
        autoComplete="off"
        isOptional
      />
      {may('keys:live') && (
        <SelectField
          {...field('mode')}
          label={texts.mode}
          choices={(['test', 'live'] as const).map((value) => ({ value, label: keyTexts.modes[value] }))}
        />
      )}
      <ScopeChoice {...field('scopes')} />
      <SelectField
        {...field('lifetime', 'expiresAt')}
        label={texts.lifetime}
        choices={lifetimes.map((value) => ({ value, label: texts.lifetimes[value] }))}
      />
      <TextArea
        {...field('addresses', 'allowedAddresses')}
        label={texts.addresses}
        hint={texts.addressesHint}
        maxLength={2_000}
        isOptional
      />
    </FormDialog>
  );
}
