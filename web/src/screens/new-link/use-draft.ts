// The draft of the form of a new link. It survives a reload and the end of the session, and belongs to its person and
// mode. The return URLs are stored for the next link.

import { useState } from 'preact/hooks';
import { useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { readStored, readStoredDraft, writeStored, writeStoredDraft } from '../../base/storage.ts';
import { type Draft, firstAddresses, newDraft, type ReturnAddresses, restoreDraft } from './draft.ts';

function useNames() {
  const { session, mode } = useSession();
  return {
    draft: `new-link.${session.accountId}.${mode}`,
    addresses: `returns.${session.companyId}.${mode}`,
  };
}

function readAddresses(name: string): ReturnAddresses | null {
  try {
    const read = JSON.parse(readStored(name) ?? 'null') as Partial<ReturnAddresses> | null;
    const { success_url: success, failure_url: failure } = read ?? {};
    if (typeof success !== 'string' || typeof failure !== 'string') return null;
    return { success_url: success, failure_url: failure };
  } catch {
    return null;
  }
}

/** The initial return URLs of a new form; null while the company's own are loading. */
export function useFirstAddresses(): ReturnAddresses | null {
  const { mode } = useSession();
  const names = useNames();
  const [last] = useState(() => readAddresses(names.addresses));
  const company = useApiQuery('getCompany', {}, { isEnabled: last === null });
  if (last === null && company.isPending) return null;
  const allowedOrigins = company.data?.allowedOrigins ?? [];
  return firstAddresses({ last, allowedOrigins, mode, origin: location.origin });
}

export function useDraft(addresses: ReturnAddresses) {
  const names = useNames();
  const fresh = () => newDraft(addresses, new Date());
  const [draft, setDraft] = useState<Draft>(() => restoreDraft(readStoredDraft(names.draft), fresh()));
  const change = (next: Draft) => {
    writeStoredDraft(names.draft, next);
    setDraft(next);
  };
  return {
    draft,
    set: (changes: Partial<Draft>) => change({ ...draft, ...changes }),
    clear: () => change(fresh()),
    /** The link exists: the URLs serve the next one, and the rest is deleted. */
    finish: () => {
      const { success_url, failure_url } = draft;
      writeStored(names.addresses, JSON.stringify({ success_url, failure_url }));
      writeStoredDraft(names.draft, null);
    },
  };
}
