// A text that somebody else wrote and that may be long: shown whole as text, in a box of a few lines that scrolls. It
// can't change the direction of what stands around it.

import './long-text.css';

/** From here on it may not fit its box, so the keyboard must be able to scroll it. */
const scrollsFrom = 120;

/** The text; nothing but text whatever it holds. */
export function LongText({ text }: { text: string }) {
  return (
    <bdi class="long-text" {...(text.length > scrollsFrom ? { tabIndex: 0 } : {})}>
      {text}
    </bdi>
  );
}
