// Screens are loaded when they are opened. After an update of the service the file of a screen may be gone: then the
// page says so and offers to load itself anew, and nothing is shown half.

import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { FailedState, LoadingState } from './states.tsx';

type Loaded<Props> = { default: ComponentType<Props> };

/** A component whose code is fetched when it is first shown. */
export function lazy<Props extends object = object>(
  load: () => Promise<Loaded<Props>>,
): (props: Props & JSX.IntrinsicAttributes) => JSX.Element {
  let loaded: ComponentType<Props> | null = null;
  return function Lazy(props) {
    const [, redraw] = useState(0);
    const [fault, setFault] = useState<unknown>(null);
    useEffect(() => {
      if (loaded) return;
      load().then((module) => {
        loaded = module.default;
        redraw((count) => count + 1);
      }, setFault);
    }, []);
    if (fault) return <FailedState fault={fault} retry={() => location.reload()} />;
    if (!loaded) return <LoadingState />;
    const Screen = loaded;
    return <Screen {...props} />;
  };
}
