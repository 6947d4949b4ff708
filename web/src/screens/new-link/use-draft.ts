// What is typed into the form of a new link. It survives a reload and the end of the session, and belongs to the person
// and mode that it was typed in; the return addresses are remembered beyond the link.

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

/** The return addresses that a new form begins with; null while the company is being asked for its own. */
export function useFirstAddresses(): ReturnAddresses | null {
  const { mode } = useSession();
  const names = useNames();
  const [last] = useState(() => readAddresses(names.addresses));
  const company = useApiQuery('getCompany', {}, { isWanted: last === null });
  if (last === null && company.isPending) return null;
  const allowedOrigins = company.data?.allowedOrigins ?? [];
  return firstAddresses({ last, allowedOrigins, mode, origin: location.origin });
}

/** The draft, how to change it, and how to begin anew. */
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
    /** The link is made: the addresses serve the next one, the rest is forgotten. */
    finish: () => {
      const { success_url, failure_url } = draft;
      writeStored(names.addresses, JSON.stringify({ success_url, failure_url }));
      writeStoredDraft(names.draft, null);
    },
  };
}
