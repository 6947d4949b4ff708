// The ID of a request that failed, as a link to the request log for whoever may read it.

import { Link } from 'wouter-preact';
import { useMay } from '../api/session.tsx';

export function RequestId({ id }: { id: string }) {
  const mayRead = useMay('requests:read');
  return (
    <p class="quiet small">{mayRead ? <Link href={`/requests/${encodeURIComponent(id)}`}>{id}</Link> : id}</p>
  );
}
