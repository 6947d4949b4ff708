// The card numbers that the sandbox accepts, to try a link in test mode. They are published numbers of nobody.

import './link-card.css';
import { useLinkTexts } from './link-texts.ts';
import { CopyButton } from './values.tsx';

const numbers = {
  paid: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  confirm: '4000 0027 6000 3184',
} as const;

export function TestCards() {
  const { cards: texts } = useLinkTexts();
  return (
    <aside class="notice" aria-label={texts.title}>
      <p>
        <strong>{texts.title}.</strong> {texts.hint}
      </p>
      <ul class="stack-small test-cards">
        {(['paid', 'declined', 'confirm'] as const).map((outcome) => (
          <li key={outcome} class="row">
            <span class="mono">{numbers[outcome]}</span>
            <span>{texts[outcome]}</span>
            {outcome === 'paid' && <CopyButton text={numbers[outcome]} />}
          </li>
        ))}
      </ul>
    </aside>
  );
}
