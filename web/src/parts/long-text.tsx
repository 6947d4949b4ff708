// A text of unknown length that somebody else wrote: shown in full as plain text, in a box of a few lines that
// scrolls. It can't change the text direction outside.

import './long-text.css';

/** From this length on the text may not fit its box, so the box must be scrollable by keyboard. */
const scrollsFrom = 120;

/** The text, always as plain text. */
export function LongText({ text }: { text: string }) {
  return (
    <bdi class="long-text" {...(text.length > scrollsFrom ? { tabIndex: 0 } : {})}>
      {text}
    </bdi>
  );
}
