// The frame of every screen with a session: the menu, company and mode, the sign-out, shortcuts, and the sign-in over
// everything when the session has ended.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useEventFeed } from '../api/event-feed.ts';
import { useSession } from '../api/session.tsx';
import { useShortcuts } from '../base/shortcuts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Segments } from '../parts/segments.tsx';
import { SignIn } from '../screens/sign-in/sign-in.tsx';
import { useCommonTexts } from '../texts/common.ts';
import { AccountMenu } from './account-menu.tsx';
import { Navigation } from './navigation.tsx';
import { ShortcutsHelp } from './shortcuts-help.tsx';
import { useShellTexts } from './texts.ts';

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

/** The frame of all screens. */
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
        {mode === 'test' && <p class="ribbon">{texts.testRibbon}</p>}
        {children}
      </main>
      {isHelpOpen && <ShortcutsHelp onClose={() => setIsHelpOpen(false)} />}
      {hasEnded && <SessionEnded />}
    </div>
  );
}
