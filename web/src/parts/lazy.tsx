// Loads screens on demand. After an update of the service the file of a screen may be gone: then the page says so and
// offers a reload, and shows nothing partial. Must not navigate to a page that does not exist.

import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { UnreachableError } from '../api/call.ts';
import { FailedState, LoadingState } from './page.tsx';

type Loaded<Props> = { default: ComponentType<Props> };

/** Whether the service responds at all. A browser does not say why a screen could not be fetched. */
async function isReachable(): Promise<boolean> {
  try {
    await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' });
    return true;
  } catch {
    return false;
  }
}

/** Reloads the page, but not while the service is down: the browser would show its own error instead. */
async function reload(): Promise<void> {
  if (await isReachable()) location.reload();
}

/** A component whose code is loaded when it is first shown. */
export function lazy<Props extends object = object>(
  load: () => Promise<Loaded<Props>>,
): (props: Props & JSX.IntrinsicAttributes) => JSX.Element {
  let loaded: ComponentType<Props> | null = null;
  return function Lazy(props) {
    const [, redraw] = useState(0);
    const [fault, setFault] = useState<unknown>(null);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (module) => {
          loaded = module.default;
          redraw((count) => count + 1);
        },
        async (cause) => setFault((await isReachable()) ? cause : new UnreachableError('no response')),
      );
    }, []);
    if (fault) return <FailedState fault={fault} retry={() => void reload()} />;
    if (!loaded) return <LoadingState />;
    const Screen = loaded;
    return <Screen {...props} />;
  };
}
