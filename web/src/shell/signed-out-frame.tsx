// The frame of the pages without a session: the name, one card, and the language.

import type { ComponentChildren } from 'preact';
import { languageNames, languages, useLanguage } from '../base/language.tsx';
import icon from '../look/icon.svg';

/** One centred card. */
export function SignedOutFrame({ children }: { children: ComponentChildren }) {
  const { language, setLanguage } = useLanguage();
  return (
    <main class="signed-out">
      <p class="brand">
        <img src={icon} alt="" width="32" height="32" /> Paylink
      </p>
      <div class="card">{children}</div>
      <p class="signed-out-foot">
        {languages.map((one) => (
          <button
            key={one}
            type="button"
            class="button button-bare button-small"
            lang={one}
            aria-pressed={one === language}
            onClick={() => setLanguage(one)}
          >
            {languageNames[one]}
          </button>
        ))}
      </p>
    </main>
  );
}
