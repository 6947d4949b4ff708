// The signed-in account, the language and the theme, and the sign-out.

import { useEffect, useRef } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useApi } from '../api/queries.ts';
import { useSession } from '../api/session.tsx';
import { useAsyncTask } from '../base/async-task.ts';
import { languageNames, languages, useLanguage } from '../base/language.tsx';
import { themes, useTheme } from '../base/theme.ts';
import { Button } from '../parts/button.tsx';
import { SelectField } from '../parts/field.tsx';
import { useShowToast } from '../parts/toasts.tsx';
import { useExplain } from '../texts/problems.ts';
import { useShellTexts } from './texts.ts';

function useSignOut() {
  const { enter } = useSession();
  const api = useApi();
  const showToast = useShowToast();
  const explain = useExplain();
  const { isWorking, run } = useAsyncTask();
  const leave = async () => {
    try {
      await api.call('signOut', {});
      enter(null);
    } catch (fault) {
      // The person must know that the session is still open.
      showToast(explain(fault).sentence);
    }
  };
  return { isWorking, signOut: () => void run(leave) };
}

/** Opens on a press and closes when the focus leaves it. */
export function AccountMenu() {
  const { session } = useSession();
  const { language, setLanguage } = useLanguage();
  const [look, setLook] = useTheme();
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
          onInput={(value) => setLanguage(languages.find((one) => one === value) ?? 'en')}
          choices={languages.map((one) => ({ value: one, label: languageNames[one] }))}
        />
        <SelectField
          label={texts.look}
          value={look}
          onInput={(value) => setLook(themes.find((one) => one === value) ?? 'system')}
          choices={themes.map((one) => ({ value: one, label: texts.looks[one] }))}
        />
        <Button isWorking={isWorking} onClick={signOut}>
          {texts.signOut}
        </Button>
      </div>
    </details>
  );
}
