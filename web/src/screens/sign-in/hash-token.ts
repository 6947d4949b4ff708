// The secret of a link from a mail, which stands behind the # of the address so that no server is sent it. It must
// never stay in the address, where the history and whoever looks at the window would keep it.

import { useEffect, useState } from 'preact/hooks';

/** The secret of a kind in what stands behind the #; null when there is none. */
export function tokenIn(hash: string, kind: 'reset' | 'invite'): string | null {
  const text = hash.replace(/^#/, '');
  return text.startsWith(`${kind}_`) && text.length <= 200 ? text : null;
}

/** Takes the secret out of the address, also when another link is opened in the same tab. */
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
