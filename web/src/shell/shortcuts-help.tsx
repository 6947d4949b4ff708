// The help about keyboard shortcuts.

import { Dialog } from '../parts/dialog.tsx';
import { useShellTexts } from './texts.ts';

/** The shortcuts that work everywhere. */
export function ShortcutsHelp({ onClose }: { onClose(): void }) {
  const { helpTitle, keys } = useShellTexts();
  const rows = [
    [['/'], keys.search],
    [['n'], keys.newLink],
    [['g', 'o'], keys.overview],
    [['g', 'p'], keys.payments],
    [['g', 'w'], keys.webhooks],
    [['g', 's'], keys.settings],
    [['j', 'k'], keys.rows],
    [['?'], keys.help],
    [['Esc'], keys.escape],
  ] as const;
  return (
    <Dialog title={helpTitle} onClose={onClose}>
      <dl class="stack-small facts keys-help">
        {rows.map(([pressed, does]) => (
          <div key={does}>
            <dt>
              {pressed.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
