// A connection as the API shows it. Must not: show a secret, not even a part.

import type { CredentialField } from '../processors/processor.ts';
import type { ConnectionDeps } from './change-connection.ts';
import { decryptCredentials } from './open-connection.ts';
import type { ConnectionResponse } from './schema.ts';
import type { ProcessorWebhookCount, ProcessorWebhookVerdict, StoredConnection } from './store.ts';

export function processorWebhookUrl(
  baseUrl: string,
  stored: { processor: string; connectionId: string },
): string {
  return `${baseUrl}/processors/${stored.processor}/webhook/${stored.connectionId}`;
}

function presentCredential(field: CredentialField, credentials: Readonly<Record<string, string>>) {
  const { name, isSecret } = field;
  const value = credentials[name] ?? '';
  return { name, isSecret, isSet: value !== '', value: isSecret || value === '' ? null : value };
}

function presentCounts(counts: readonly ProcessorWebhookCount[]): ConnectionResponse['notices'] {
  const of = (verdict: ProcessorWebhookVerdict) =>
    counts.find((counted) => counted.verdict === verdict)?.count ?? 0;
  const last = Math.max(...counts.map(({ lastAt }) => lastAt.getTime()));
  return {
    accepted: of('accepted'),
    irrelevant: of('irrelevant'),
    replayed: of('replayed'),
    mismatched: of('mismatched'),
    forged: of('forged'),
    lastAt: counts.length === 0 ? null : new Date(last).toISOString(),
  };
}

/** `counts` are those of all connections. */
export function presentConnection(
  deps: Pick<ConnectionDeps, 'keyring' | 'processors' | 'baseUrl' | 'clock'>,
  stored: StoredConnection,
  counts: readonly ProcessorWebhookCount[],
): ConnectionResponse {
  const { connectionId, processor, openUntil } = stored;
  // A processor of a later version, unknown here, is shown as far as possible.
  const kind = deps.processors.kinds.find(({ name }) => name === processor);
  const credentials = kind && stored.sealed ? decryptCredentials(deps.keyring, stored) : {};
  const recoversAt = openUntil && openUntil > deps.clock.now() ? openUntil.toISOString() : null;
  return {
    connectionId,
    id: connectionId,
    processor,
    title: kind?.title ?? processor,
    mode: stored.mode,
    name: stored.name,
    holder: stored.holder,
    currencies: stored.currencies,
    position: stored.position,
    enabled: stored.isEnabled,
    credentials: (kind?.fields ?? []).map((field) => presentCredential(field, credentials)),
    webhookUrl: kind?.readNotice ? processorWebhookUrl(deps.baseUrl, stored) : null,
    health: { isUp: recoversAt === null, recoversAt, downUntil: recoversAt },
    notices: presentCounts(counts.filter((counted) => counted.connectionId === connectionId)),
    createdAt: stored.createdAt.toISOString(),
    createdBy: stored.createdBy,
  };
}
