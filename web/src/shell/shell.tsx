// The frame of every screen with a session: the menu, company and mode, the sign-out, shortcuts, and the sign-in over
// everything when the session has ended.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Link, useLocation, useRoute } from 'wouter-preact';
import { useEventFeed } from '../api/event-feed.ts';
import { useApi } from '../api/queries.ts';
import { useSession } from '../api/session.tsx';
import { useAsyncTask } from '../base/async-task.ts';
import { useLanguage } from '../base/language.tsx';
import { type Language, languageChoices } from '../base/languages.ts';
import { useShortcuts } from '../base/shortcuts.ts';
import { themes, useTheme } from '../base/theme.ts';
import icon from '../look/icon.svg';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Segments, SelectField } from '../parts/field.tsx';
import { Facts } from '../parts/page.tsx';
import { useShowFault } from '../parts/toasts.tsx';
import { SignIn } from '../screens/sign-in/sign-in.tsx';
import { useCommonTexts } from '../texts/common.ts';
import { type ScreenName, screens } from './screens.tsx';
import { TestRibbon } from './test-ribbon.tsx';
import { useShellTexts } from './texts.ts';

function ShortcutsHelp({ onClose }: { onClose(): void }) {
  const { help, keys, screens: names } = useShellTexts();
  const rows = [
    [['/'], keys.search],
    [['n'], names.newLink],
    [['g', 'o'], keys.overview],
    [['g', 'p'], keys.payments],
    [['g', 'w'], keys.webhooks],
    [['g', 's'], keys.settings],
    [['j', 'k'], keys.rows],
    [['?'], keys.help],
    [['Esc'], keys.escape],
  ] as const;
  return (
    <Dialog title={help} onClose={onClose}>
      <Facts
        class="keys-help"
        items={rows.map(([pressed, does]) => [pressed.map((key) => <kbd key={key}>{key}</kbd>), does])}
      />
    </Dialog>
  );
}

function Entry({ path, name }: { path: string; name: ScreenName }) {
  const texts = useShellTexts();
  const [isHere] = useRoute(path === '/' ? '/' : `${path}/*?`);
  return (
    <li>
      <Link href={path} aria-current={isHere ? 'page' : undefined}>
        {texts.screens[name]}
      </Link>
    </li>
  );
}

/** The menu; on a phone it opens on demand. */
function Navigation({ isOpen, onHelp }: { isOpen: boolean; onHelp(): void }) {
  const { may } = useSession();
  const texts = useShellTexts();
  const entries = screens.flatMap(({ path, right, name }) =>
    name && (right === null || may(right)) ? [{ path, name }] : [],
  );
  return (
    <nav id="menu" class={isOpen ? 'menu menu-open' : 'menu'} aria-label={texts.navigation}>
      <p class="brand">
        <img src={icon} alt="" width="28" height="28" /> Paylink
      </p>
      {may('payments:create') && (
        <Link href="/payments/new" class="button button-main">
          {texts.screens.newLink}
        </Link>
      )}
      <ul>
        {entries.map(({ path, name }) => (
          <Entry key={name} path={path} name={name} />
        ))}
      </ul>
      <button type="button" class="button button-bare button-small menu-help" onClick={onHelp}>
        {texts.help} <kbd>?</kbd>
      </button>
    </nav>
  );
}

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

function LanguageField() {
  const { language, setLanguage } = useLanguage();
  const texts = useShellTexts();
  const showFault = useShowFault();
  const [, setFaults] = useState(0);
  const choose = (next: Language) =>
    setLanguage(next).catch((fault: unknown) => {
      showFault(fault);
      // Drawn again, the field shows the language of the page, and the other one can be chosen again.
      setFaults((count) => count + 1);
    });
  return (
    <SelectField
      label={texts.language}
      value={language}
      onInput={(next) => void choose(next)}
      choices={languageChoices}
    />
  );
}

/** Opens on a press and closes when the focus leaves it. */
function AccountMenu() {
  const { session } = useSession();
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
        <LanguageField />
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

/** Focuses the search of the payments, once it exists. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#payment-search');
  field?.focus();
  field?.select();
}

function useKeyboardShortcuts(showHelp: () => void): void {
  const [path, navigate] = useLocation();
  const { may } = useSession();
  const actions = useMemo(
    () => ({
      '/': () => {
        if (path === '/payments') focusSearch();
        else navigate('/payments?focus=search');
      },
      '?': showHelp,
      ...(may('payments:create') ? { n: () => navigate('/payments/new') } : {}),
      'g o': () => navigate('/'),
      'g p': () => navigate('/payments'),
      ...(may('webhooks:read') ? { 'g w': () => navigate('/webhooks') } : {}),
      'g s': () => navigate('/settings'),
    }),
    [path, navigate, may, showHelp],
  );
  useShortcuts(actions);
}

/** The sign-in over the page, which stays as it was. */
function SessionEnded() {
  const { enter } = useSession();
  const texts = useShellTexts();
  return (
    <Dialog title={texts.endedTitle}>
      <p>{texts.ended}</p>
      <SignIn onEnter={enter} isRenewal />
    </Dialog>
  );
}

function TopBar({ isMenuOpen, toggle }: { isMenuOpen: boolean; toggle(): void }) {
  const { session, mode, setMode } = useSession();
  const texts = useShellTexts();
  const common = useCommonTexts();
  return (
    <header class="top">
      <button
        type="button"
        class="icon-button menu-button"
        aria-expanded={isMenuOpen}
        aria-controls="menu"
        onClick={toggle}
      >
        <span aria-hidden="true">☰</span> <span class="unseen">{texts.menu}</span>
      </button>
      <p class="company">
        <bdi>{session.companyName}</bdi>
      </p>
      {session.modes.length > 1 && (
        <Segments
          label={texts.mode}
          value={mode}
          choices={session.modes.map((value) => ({ value, label: common[value] }))}
          onInput={setMode}
        />
      )}
      <AccountMenu />
    </header>
  );
}

export function Shell({ children }: { children: ComponentChildren }) {
  const { hasEnded, mode } = useSession();
  const texts = useShellTexts();
  const [path] = useLocation();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const showHelp = useMemo(() => () => setIsHelpOpen(true), []);
  useKeyboardShortcuts(showHelp);
  useEventFeed();
  // Navigation closes the menu.
  useEffect(() => setIsMenuOpen(false), [path]);
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <TopBar isMenuOpen={isMenuOpen} toggle={() => setIsMenuOpen(!isMenuOpen)} />
      <Navigation isOpen={isMenuOpen} onHelp={showHelp} />
      <main id="content" key={mode} tabIndex={-1}>
        {mode === 'test' && <TestRibbon />}
        {children}
      </main>
      {isHelpOpen && <ShortcutsHelp onClose={() => setIsHelpOpen(false)} />}
      {hasEnded && <SessionEnded />}
    </div>
  );
}
