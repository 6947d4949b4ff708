// The proof that an address for webhooks was made here for one attempt, for processors that sign no webhooks and take
// an address with each payment. Whoever knows such an address can only make us ask about its own attempt. An address
// without a proof, from before there were any, stays good within the budget of unproven webhooks.

import { isEqualSecret, type Keyring } from '../base/keyring.ts';

export type WebhookProofSubject = { companyId: string; connectionId: string; attemptId: string };

const messageOf = ({ companyId, connectionId, attemptId }: WebhookProofSubject) =>
  `${companyId}/${connectionId}/${attemptId}`;

/** The proof for an address: 43 characters of base64url. */
export function webhookProof(keyring: Pick<Keyring, 'mac'>, subject: WebhookProofSubject): string {
  return keyring.mac('processor-webhook', messageOf(subject)).toString('base64url');
}

/** Whether a text is the proof for an address, by any master key of the settings. */
export function isWebhookProof(
  keyring: Pick<Keyring, 'goodMacs'>,
  subject: WebhookProofSubject,
  proof: string,
): boolean {
  return keyring
    .goodMacs('processor-webhook', messageOf(subject))
    .some((accepted) => isEqualSecret(accepted.toString('base64url'), proof));
}
