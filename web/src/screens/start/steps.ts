// Which of the first steps are complete, according to the API: a key that a person created, a link from the example
// lines, a paid payment, an endpoint for webhooks.

import type { OperationResponse } from '../../api/call.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { orderPrefix } from './snippets.ts';

export type Payment = OperationResponse<'listPayments'>['data'][number];
type Steps = {
  hasKey: boolean;
  /** The newest link from the example lines. */
  example: Payment | null;
  hasPaid: boolean;
  hasEndpoint: boolean;
};

type Key = OperationResponse<'listApiKeys'>['data'][number];

/** The first key comes with the company. Only a key that a person created counts. */
const isOwn = ({ mode, status, createdBy }: Key) =>
  mode === 'test' && status === 'active' && createdBy !== 'system';

/** The completed steps; updated by events. */
export function useSteps(): Steps {
  const { may } = useSession();
  const wholePage = { query: { limit: 100 } };
  const keys = useApiQuery('listApiKeys', wholePage, { isEnabled: may('keys:read') });
  const endpoints = useApiQuery('listWebhookEndpoints', wholePage, { isEnabled: may('webhooks:read') });
  const examples = useApiQuery('listPayments', {
    query: { customerOrderId: `${orderPrefix}*`, limit: 1 },
  });
  const paid = useApiQuery('listPayments', { query: { status: 'paid', limit: 1 } });
  return {
    hasKey: keys.data?.data.some(isOwn) ?? false,
    example: examples.data?.data[0] ?? null,
    hasPaid: (paid.data?.data.length ?? 0) > 0,
    hasEndpoint: endpoints.data?.data.some(({ mode }) => mode === 'test') ?? false,
  };
}
