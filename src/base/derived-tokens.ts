// Secret texts that are derived from an id under the master key, so that they can be written down again without being
// kept: those of invitations, and of links to a new password. What is stored of one is its digest.

import { digestToken, type SecretKind, secretToken } from './ids.ts';
import type { Keyring } from './keyring.ts';

type TokenScope = { companyId: string; id: string };
type DerivedKind = Exclude<SecretKind, 'browser'>;

const purposes = { invite: 'invitation', reset: 'password-reset' } as const satisfies Record<
  DerivedKind,
  string
>;

const messageOf = ({ companyId, id }: TokenScope) => `${companyId}:${id}`;

/** The token of an id. */
export function deriveToken(keyring: Keyring, kind: DerivedKind, scope: TokenScope): string {
  return secretToken(kind, scope.companyId, keyring.mac(purposes[kind], messageOf(scope)));
}

/** The token of an id that has this digest, among those that the master keys in the settings give. */
export function rederiveToken(
  keyring: Keyring,
  kind: DerivedKind,
  { digest, ...scope }: TokenScope & { digest: Buffer },
): string {
  const token = keyring
    .goodMacs(purposes[kind], messageOf(scope))
    .map((mac) => secretToken(kind, scope.companyId, mac))
    .find((candidate) => digestToken(candidate).equals(digest));
  if (!token) throw new Error('the master key that made a token is not in the settings');
  return token;
}
