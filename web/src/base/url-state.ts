// Stores filters in the URL of the page, so that they survive a reload, the Back button and sharing.

import { useMemo } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';

/** The URL parameters, and how to change some of them. An empty text removes one. */
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
