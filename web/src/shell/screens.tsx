// Every screen of the dashboard: its path, the right that it needs, and its code, which is loaded when it is opened.
// The code of the first screen, and what most screens share, comes with the page: one file loads faster. Screens
// without the right are neither offered nor shown.

import type { ComponentType } from 'preact';
import { Link, Route, Switch } from 'wouter-preact';
import { type Right, useSession } from '../api/session.tsx';
import { lazy } from '../parts/lazy.tsx';
import { Page } from '../parts/page.tsx';
import OverviewScreen from '../screens/overview/overview.tsx';
import { useShellTexts } from './texts.ts';

export type ScreenName =
  | 'overview'
  | 'payments'
  | 'newLink'
  | 'balances'
  | 'webhooks'
  | 'processors'
  | 'keys'
  | 'team'
  | 'settings'
  | 'audit'
  | 'start'
  | 'account';

type Screen = { path: string; right: Right | null; screen: ComponentType; name: ScreenName };

/** In the order in which the paths are matched. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    right: 'payments:read',
    name: 'overview',
    screen: OverviewScreen,
  },
  {
    path: '/payments',
    right: 'payments:read',
    name: 'payments',
    screen: lazy(() => import('../screens/payments/payments.tsx')),
  },
  {
    path: '/payments/new',
    right: 'payments:create',
    name: 'newLink',
    screen: lazy(() => import('../screens/new-link/new-link.tsx')),
  },
  {
    path: '/payments/:code',
    right: 'payments:read',
    name: 'payments',
    screen: lazy(() => import('../screens/payment/payment.tsx')),
  },
  {
    path: '/cases',
    right: 'payments:read',
    name: 'overview',
    screen: lazy(() => import('../screens/cases/cases.tsx')),
  },
  {
    path: '/balances',
    right: 'balances:read',
    name: 'balances',
    screen: lazy(() => import('../screens/balances/balances.tsx')),
  },
  {
    path: '/webhooks',
    right: 'webhooks:read',
    name: 'webhooks',
    screen: lazy(() => import('../screens/webhooks/webhooks.tsx')),
  },
  {
    path: '/webhooks/:endpointId',
    right: 'webhooks:read',
    name: 'webhooks',
    screen: lazy(() => import('../screens/webhooks/endpoint.tsx')),
  },
  {
    path: '/webhooks/:endpointId/:deliveryId',
    right: 'webhooks:read',
    name: 'webhooks',
    screen: lazy(() => import('../screens/webhooks/delivery.tsx')),
  },
  {
    path: '/processors',
    right: 'processors:read',
    name: 'processors',
    screen: lazy(() => import('../screens/processors/processors.tsx')),
  },
  { path: '/keys', right: 'keys:read', name: 'keys', screen: lazy(() => import('../screens/keys/keys.tsx')) },
  {
    path: '/team',
    right: 'members:read',
    name: 'team',
    screen: lazy(() => import('../screens/team/team.tsx')),
  },
  {
    path: '/settings',
    right: 'company:read',
    name: 'settings',
    screen: lazy(() => import('../screens/settings/settings.tsx')),
  },
  {
    path: '/audit',
    right: 'audit:read',
    name: 'audit',
    screen: lazy(() => import('../screens/audit/audit.tsx')),
  },
  {
    path: '/start',
    right: 'payments:create',
    name: 'start',
    screen: lazy(() => import('../screens/start/start.tsx')),
  },
  {
    path: '/account',
    right: null,
    name: 'account',
    screen: lazy(() => import('../screens/account/account.tsx')),
  },
];

function Guarded({ right, screen: Shown }: Pick<Screen, 'right' | 'screen'>) {
  const { may } = useSession();
  const texts = useShellTexts();
  if (right && !may(right)) return <Page title={texts.notYours}>{texts.notYoursHint}</Page>;
  return <Shown />;
}

/** The screen of the URL. */
export function Screens() {
  const texts = useShellTexts();
  return (
    <Switch>
      {screens.map(({ path, right, screen }) => (
        <Route key={path} path={path}>
          <Guarded right={right} screen={screen} />
        </Route>
      ))}
      <Route>
        <Page title={texts.nowhere} above={<Link href="/">← {texts.screens.overview}</Link>}>
          {texts.nowhereHint}
        </Page>
      </Route>
    </Switch>
  );
}
