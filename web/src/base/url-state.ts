// Filters live in the address of the page, so that they survive a reload, the Back button and being passed on.

import { useMemo } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';

/** The parameters of the address, and how to change some of them; an empty text takes one away. */
export function useUrlState(): [
  values: Readonly<Record<string, string>>,
  change: (changes: Readonly<Record<string, string>>, options?: { isStep?: boolean }) => void,
] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const values = useMemo(() => Object.fromEntries(new URLSearchParams(search)), [search]);
  const change = (changes: Readonly<Record<string, string>>, { isStep = false } = {}) => {
    const params = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') params.delete(name);
      else params.set(name, value);
    }
    navigate(params.size > 0 ? `${path}?${params}` : path, { replace: !isStep });
  };
  return [values, change];
}
