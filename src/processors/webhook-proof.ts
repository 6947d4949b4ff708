// The proof that a webhook address was created here for one attempt, for processors that sign no webhooks. Whoever
// knows it can only cause queries about that attempt. Older addresses stay valid within the budget of unproven
// webhooks.

import { isEqualSecret, type Keyring } from '../base/keyring.ts';

export type WebhookProofSubject = { companyId: string; connectionId: string; attemptId: string };

const messageOf = ({ companyId, connectionId, attemptId }: WebhookProofSubject) =>
  `${companyId}/${connectionId}/${attemptId}`;

/** The proof in an address: 43 characters of base64url. */
export function webhookProof(keyring: Pick<Keyring, 'mac'>, subject: WebhookProofSubject): string {
  return keyring.mac('processor-webhook', messageOf(subject)).toString('base64url');
}

/** Whether a text is the proof in an address, under any configured master key. */
export function isWebhookProof(
  keyring: Pick<Keyring, 'acceptedMacs'>,
  subject: WebhookProofSubject,
  proof: string,
): boolean {
  return keyring
    .acceptedMacs('processor-webhook', messageOf(subject))
    .some((accepted) => isEqualSecret(accepted.toString('base64url'), proof));
}
