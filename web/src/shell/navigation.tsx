// The menu: only screens that the roles of the account allow.

import { Link, useRoute } from 'wouter-preact';
import { useSession } from '../api/session.tsx';
import icon from '../look/icon.svg';
import { type ScreenName, screens } from './screens.tsx';
import { useShellTexts } from './texts.ts';

const inMenu: readonly ScreenName[] = [
  'overview',
  'payments',
  'balances',
  'webhooks',
  'processors',
  'keys',
  'team',
  'audit',
  'settings',
  'start',
];

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
export function Navigation({ isOpen, onHelp }: { isOpen: boolean; onHelp(): void }) {
  const { may } = useSession();
  const texts = useShellTexts();
  const entries = inMenu.flatMap((name) => {
    const first = screens.find((screen) => screen.name === name);
    return first && (first.right === null || may(first.right)) ? [first] : [];
  });
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
