// Maps URLs to screens, and renders the frame around them. Pages that are opened from an email need no sign-in. All
// others do.

import { QueryClient, QueryClientProvider } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { Route, Router, Switch } from 'wouter-preact';
import { SessionProvider } from './api/session.tsx';
import { LanguageProvider, useLanguage } from './base/language.tsx';
import { type Language, languageChoices } from './base/languages.ts';
import icon from './look/icon.svg';
import { Button } from './parts/button.tsx';
import { lazy } from './parts/lazy.tsx';
import { FailedState, LoadingState } from './parts/page.tsx';
import { Toasts, useShowFault } from './parts/toasts.tsx';
import { SignIn } from './screens/sign-in/sign-in.tsx';
import { Screens } from './shell/screens.tsx';
import { Shell } from './shell/shell.tsx';
import { loadTexts } from './texts/texts.ts';

function SignedOutFrame({ children }: { children: ComponentChildren }) {
  const { language, setLanguage } = useLanguage();
  const showFault = useShowFault();
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
            onClick={() => void setLanguage(value).catch(showFault)}
          >
            {label}
          </Button>
        ))}
      </p>
    </main>
  );
}

const client = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, gcTime: 10 * 60_000, refetchOnWindowFocus: true } },
});

const signedOutScreens = {
  '/forgotten': lazy(() => import('./screens/sign-in/forgotten-password.tsx')),
  '/reset': lazy(() => import('./screens/sign-in/new-password.tsx')),
  '/invitation': lazy(() => import('./screens/sign-in/invitation.tsx')),
};

function SignedIn() {
  return (
    <SessionProvider
      waiting={
        <SignedOutFrame>
          <LoadingState />
        </SignedOutFrame>
      }
      failed={(fault, retry) => (
        <SignedOutFrame>
          <FailedState fault={fault} retry={retry} />
        </SignedOutFrame>
      )}
      signIn={(enter) => (
        <SignedOutFrame>
          <SignIn onEnter={enter} />
        </SignedOutFrame>
      )}
    >
      <Shell>
        <Screens />
      </Shell>
    </SessionProvider>
  );
}

/** `first`: the language whose texts are loaded. */
export function App({ first }: { first: Language }) {
  return (
    <LanguageProvider first={first} load={loadTexts}>
      <QueryClientProvider client={client}>
        <Toasts>
          <Router base="/dashboard">
            <Switch>
              {Object.entries(signedOutScreens).map(([path, Screen]) => (
                <Route key={path} path={path}>
                  <SignedOutFrame>
                    <Screen />
                  </SignedOutFrame>
                </Route>
              ))}
              <Route>
                <SignedIn />
              </Route>
            </Switch>
          </Router>
        </Toasts>
      </QueryClientProvider>
    </LanguageProvider>
  );
}
