// The frame of the pages without a session: the name, one card, and the language.

import type { ComponentChildren } from 'preact';
import { languageChoices, useLanguage } from '../base/language.tsx';
import icon from '../look/icon.svg';
import { Button } from '../parts/button.tsx';

/** One centred card. */
export function SignedOutFrame({ children }: { children: ComponentChildren }) {
  const { language, setLanguage } = useLanguage();
  return (
    <main class="stack signed-out">
      <p class="brand">
        <img src={icon} alt="" width="32" height="32" /> Paylink
      </p>
      <div class="card">{children}</div>
      <p class="actions">
        {languageChoices.map(({ value, label }) => (
          <Button
            key={value}
            weight="bare"
            isSmall
            lang={value}
            aria-pressed={value === language}
            onClick={() => setLanguage(value)}
          >
            {label}
          </Button>
        ))}
      </p>
    </main>
  );
}
