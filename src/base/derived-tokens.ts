// Secret tokens of invitations and password resets, derived from an ID. Only their digests are stored.

import { digestToken, type SecretKind, secretToken } from './ids.ts';
import type { Keyring } from './keyring.ts';

type TokenScope = { companyId: string; id: string };
type DerivedKind = Exclude<SecretKind, 'browser'>;

const purposes = { invite: 'invitation', reset: 'password-reset' } as const satisfies Record<
  DerivedKind,
  string
>;

const messageOf = ({ companyId, id }: TokenScope) => `${companyId}:${id}`;

export function deriveToken(keyring: Keyring, kind: DerivedKind, scope: TokenScope): string {
  return secretToken(kind, scope.companyId, keyring.mac(purposes[kind], messageOf(scope)));
}

/** Tries each configured master key and returns the token with this digest. */
export function rederiveToken(
  keyring: Keyring,
  kind: DerivedKind,
  { digest, ...scope }: TokenScope & { digest: Buffer },
): string {
  const token = keyring
    .acceptedMacs(purposes[kind], messageOf(scope))
    .map((mac) => secretToken(kind, scope.companyId, mac))
    .find((candidate) => digestToken(candidate).equals(digest));
  if (!token) throw new Error('the master key that made a token is not in the settings');
  return token;
}
