// The secret of an emailed link, which follows the # of the URL so that browsers do not send it to a server. Must
// not stay in the URL, where the history and bystanders could read it.

import { useEffect, useState } from 'preact/hooks';

/** The secret of a kind in the fragment; null if there is none. */
export function tokenIn(hash: string, kind: 'reset' | 'invite'): string | null {
  const text = hash.replace(/^#/, '');
  return text.startsWith(`${kind}_`) && text.length <= 200 ? text : null;
}

/** Removes the secret from the URL, also when another link is opened in the same tab. */
export function useHashToken(kind: 'reset' | 'invite'): string | null {
  const [token, setToken] = useState(() => tokenIn(location.hash, kind));
  useEffect(() => {
    const take = () => {
      const found = tokenIn(location.hash, kind);
      if (!found) return;
      setToken(found);
      history.replaceState(history.state, '', location.pathname);
    };
    take();
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, [kind]);
  return token;
}
