// The settings of a Stripe connection and their validation. Must not: repeat an entered value.

import type { CredentialCheck, CredentialError, CredentialField, ProcessorConnection } from '../processor.ts';
import type { UntrustedFields } from '../untrusted-fields.ts';
import { callStripe, type StripeAccount, StripeRequestError } from './client.ts';
import { readFields, readOptionalText, readText } from './parse.ts';
import { stripeEventTypes } from './webhooks.ts';

export const stripeFields: readonly CredentialField[] = [
  {
    name: 'secretKey',
    label: 'Secret key',
    isSecret: true,
    isRequired: true,
    help:
      'Stripe Dashboard, Developers, API keys. It begins with sk_test_ or sk_live_. A restricted key (rk_…) is enough ' +
      'with write access to Checkout Sessions and Refunds and read access to PaymentIntents, Charges and Accounts; read access ' +
      'to Balance transaction sources shows fees.',
    maxLength: 255,
  },
  {
    name: 'webhookSecret',
    label: 'Webhook signing secret',
    isSecret: true,
    // It belongs to an address that is known only once the connection exists.
    isRequired: false,
    help:
      'Stripe Dashboard, Developers, Webhooks, the endpoint with the address of this connection, Signing secret. It ' +
      'begins with whsec_; without it every webhook counts as forged. ' +
      `The endpoint needs these events: ${stripeEventTypes.join(', ')}.`,
    maxLength: 255,
  },
];

/** Service keys and API keys. */
const paylinkKey = /^pl[sk]_/;

function checkForm({ credentials, mode }: ProcessorConnection): CredentialError[] {
  const faults: CredentialError[] = [];
  const { secretKey = '', webhookSecret = '' } = credentials;
  const keyMode = /^[sr]k_(test|live)_\w+$/.exec(secretKey)?.[1];
  if (!keyMode) {
    const detail = paylinkKey.test(secretKey)
      ? 'This is a key of Paylink. Enter the secret key of Stripe, which begins with sk_ or rk_.'
      : 'A secret key of Stripe begins with sk_test_, sk_live_, rk_test_ or rk_live_.';
    faults.push({ field: 'secretKey', code: 'invalid_form', detail });
  } else if (keyMode !== mode) {
    const detail = `This key is for ${keyMode} mode, but the connection is in ${mode} mode.`;
    faults.push({ field: 'secretKey', code: 'wrong_mode', detail });
  }
  if (webhookSecret !== '' && !/^whsec_[\w+/=-]+$/.test(webhookSecret)) {
    const detail = 'A signing secret of Stripe begins with whsec_.';
    faults.push({ field: 'webhookSecret', code: 'invalid_form', detail });
  }
  return faults;
}

function holderOf(account: UntrustedFields): string {
  const id = readText(account, 'id');
  const name = readOptionalText(readFields(account.business_profile ?? {}, 'business_profile'), 'name');
  return name === null ? id : `${name} (${id})`;
}

const permissionChecks: Readonly<Record<string, Parameters<typeof callStripe>[1]>> = {
  Accounts: ({ accounts }) => accounts.retrieveCurrent(),
  'Checkout Sessions': ({ checkout }) => checkout.sessions.list({ limit: 1 }),
  Charges: ({ charges }) => charges.list({ limit: 1 }),
  Refunds: ({ refunds }) => refunds.list({ limit: 1 }),
};

/** The permissions that payments need and a restricted key lacks. Write access can be tested only by writing. */
async function findMissingRights(account: StripeAccount): Promise<string[]> {
  const missing = await Promise.all(
    Object.entries(permissionChecks).map(([right, send]) =>
      callStripe(account, send).then(
        () => [],
        (error: unknown) => {
          if (error instanceof StripeRequestError && error.status === 403) return [right];
          throw error;
        },
      ),
    ),
  );
  return missing.flat();
}

const badKey = (code: string, detail: string): CredentialCheck => ({
  kind: 'bad',
  faults: [{ field: 'secretKey', code, detail }],
});

/** Whether the credentials are valid. Throws when Stripe does not respond. */
export async function checkCredentials(account: StripeAccount): Promise<CredentialCheck> {
  const faults = checkForm(account.connection);
  if (faults.length > 0) return { kind: 'bad', faults };
  try {
    const missing = await findMissingRights(account);
    if (missing.length > 0)
      return badKey('not_permitted', `This key lacks permissions for: ${missing.join(', ')}.`);
    const { body } = await callStripe(account, (api) => api.accounts.retrieveCurrent());
    const fields = readFields(body, 'account');
    return { kind: 'good', holder: holderOf(fields), account: readText(fields, 'id') };
  } catch (error) {
    if (!(error instanceof StripeRequestError) || error.status !== 401) throw error;
    return badKey(
      'rejected',
      'Stripe does not know this key, or it has been revoked. Copy the key again, or create a new one.',
    );
  }
}
