// Loads screens on demand. After an update of the service the file of a screen may be gone: then the page says so and
// offers a reload, and shows nothing partial. Must not navigate to a page that does not exist.

import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isReachable, loadFile } from '../api/load-file.ts';
import { FailedState, LoadingState } from './page.tsx';

type Loaded<Props> = { default: ComponentType<Props> };

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
      loadFile(load).then((module) => {
        loaded = module.default;
        redraw((count) => count + 1);
      }, setFault);
    }, []);
    if (fault) return <FailedState fault={fault} retry={() => void reload()} />;
    if (!loaded) return <LoadingState />;
    const Screen = loaded;
    return <Screen {...props} />;
  };
}
