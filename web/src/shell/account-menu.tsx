// The signed-in account, the language and the theme, and the sign-out.

import { useEffect, useRef } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useApi } from '../api/queries.ts';
import { useSession } from '../api/session.tsx';
import { useAsyncTask } from '../base/async-task.ts';
import { languageChoices, useLanguage } from '../base/language.tsx';
import { themes, useTheme } from '../base/theme.ts';
import { useShowFault } from '../parts/action.ts';
import { Button } from '../parts/button.tsx';
import { SelectField } from '../parts/field.tsx';
import { useShellTexts } from './texts.ts';

function useSignOut() {
  const { enter } = useSession();
  const api = useApi();
  const showFault = useShowFault();
  const { isWorking, run } = useAsyncTask();
  const leave = async () => {
    await api.call('signOut', {});
    enter(null);
  };
  // The person must know if the session is still open.
  return { isWorking, signOut: () => void run(() => leave().catch(showFault)) };
}

/** Opens on a press and closes when the focus leaves it. */
export function AccountMenu() {
  const { session } = useSession();
  const { language, setLanguage } = useLanguage();
  const [theme, setTheme] = useTheme();
  const texts = useShellTexts();
  const { isWorking, signOut } = useSignOut();
  const [path] = useLocation();
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (menu.current) menu.current.open = false;
  };
  // Navigation closes the menu.
  useEffect(close, [path]);
  return (
    <details
      ref={menu}
      class="account-menu"
      onKeyDown={(event) => event.key === 'Escape' && close()}
      onFocusOut={(event) => {
        const next = event.relatedTarget;
        if (next instanceof Node && !menu.current?.contains(next)) close();
      }}
    >
      <summary>
        <bdi>{session.email}</bdi>
      </summary>
      <div class="account-panel stack">
        <Link href="/account">{texts.screens.account}</Link>
        <SelectField
          label={texts.language}
          value={language}
          onInput={setLanguage}
          choices={languageChoices}
        />
        <SelectField
          label={texts.theme}
          value={theme}
          onInput={setTheme}
          choices={themes.map((value) => ({ value, label: texts.themes[value] }))}
        />
        <Button isWorking={isWorking} onClick={signOut}>
          {texts.signOut}
        </Button>
      </div>
    </details>
  );
}
