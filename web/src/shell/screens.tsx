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

export type ScreenName = keyof ReturnType<typeof useShellTexts>['screens'];

type Screen = {
  path: string;
  right: Right | null;
  screen: ComponentType;
  /** Its name, if it is in the menu. */
  name?: ScreenName;
};

const Payments = lazy(() => import('../screens/payments/payments.tsx'));
const NewLink = lazy(() => import('../screens/new-link/new-link.tsx'));
const Payment = lazy(() => import('../screens/payment/payment.tsx'));
const Cases = lazy(() => import('../screens/cases/cases.tsx'));
const Balances = lazy(() => import('../screens/balances/balances.tsx'));
const Webhooks = lazy(() => import('../screens/webhooks/webhooks.tsx'));
const Endpoint = lazy(() => import('../screens/webhooks/endpoint.tsx'));
const Delivery = lazy(() => import('../screens/webhooks/delivery.tsx'));
const Processors = lazy(() => import('../screens/processors/processors.tsx'));
const Keys = lazy(() => import('../screens/keys/keys.tsx'));
const Requests = lazy(() => import('../screens/requests/requests.tsx'));
const Request = lazy(() => import('../screens/requests/request.tsx'));
const Team = lazy(() => import('../screens/team/team.tsx'));
const Settings = lazy(() => import('../screens/settings/settings.tsx'));
const Audit = lazy(() => import('../screens/audit/audit.tsx'));
const Start = lazy(() => import('../screens/start/start.tsx'));
const Operation = lazy(() => import('../screens/operation/operation.tsx'));
const Account = lazy(() => import('../screens/account/account.tsx'));

/** In the order of the menu, and in which the paths are matched. */
export const screens: readonly Screen[] = [
  { path: '/', right: 'payments:read', name: 'overview', screen: OverviewScreen },
  { path: '/payments', right: 'payments:read', name: 'payments', screen: Payments },
  { path: '/payments/new', right: 'payments:create', screen: NewLink },
  { path: '/payments/:code', right: 'payments:read', screen: Payment },
  { path: '/cases', right: 'payments:read', screen: Cases },
  { path: '/balances', right: 'balances:read', name: 'balances', screen: Balances },
  { path: '/webhooks', right: 'webhooks:read', name: 'webhooks', screen: Webhooks },
  { path: '/webhooks/:endpointId', right: 'webhooks:read', screen: Endpoint },
  { path: '/webhooks/:endpointId/:deliveryId', right: 'webhooks:read', screen: Delivery },
  { path: '/processors', right: 'processors:read', name: 'processors', screen: Processors },
  { path: '/keys', right: 'keys:read', name: 'keys', screen: Keys },
  { path: '/requests', right: 'requests:read', name: 'requests', screen: Requests },
  { path: '/requests/:requestId', right: 'requests:read', screen: Request },
  { path: '/team', right: 'members:read', name: 'team', screen: Team },
  { path: '/audit', right: 'audit:read', name: 'audit', screen: Audit },
  { path: '/settings', right: 'company:read', name: 'settings', screen: Settings },
  { path: '/start', right: 'payments:create', name: 'start', screen: Start },
  { path: '/operation', right: 'operator', name: 'operation', screen: Operation },
  { path: '/account', right: null, screen: Account },
];

function NotFound() {
  const texts = useShellTexts();
  return (
    <Page title={texts.notFound} above={<Link href="/">← {texts.screens.overview}</Link>}>
      {texts.notFoundHint}
    </Page>
  );
}

function Guarded({ right, screen: Shown }: Pick<Screen, 'right' | 'screen'>) {
  const { may } = useSession();
  const texts = useShellTexts();
  if (right === 'operator' && !may(right)) return <NotFound />;
  if (right && !may(right)) return <Page title={texts.notAllowed}>{texts.notAllowedHint}</Page>;
  return <Shown />;
}

export function Screens() {
  return (
    <Switch>
      {screens.map(({ path, right, screen }) => (
        <Route key={path} path={path}>
          <Guarded right={right} screen={screen} />
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
