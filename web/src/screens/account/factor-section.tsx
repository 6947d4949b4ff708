// One of the second factors: its name, its description or status, and its actions.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A part of the section of second factors. */
export function FactorSection(props: {
  title: string;
  /** The action beside the title. */
  action?: ComponentChildren;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="stack-small factor" aria-labelledby={id}>
      <header class="apart">
        <h3 id={id}>{props.title}</h3>
        {props.action && <div class="actions">{props.action}</div>}
      </header>
      {props.children}
    </section>
  );
}
