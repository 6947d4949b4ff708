// The search of the payments. Each key press asks; what was asked before is dropped. It keeps what is typed even while
// the address still says what was typed before.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePaymentsTexts } from './texts.ts';

/** Keys that come sooner than this after a question are asked for together, when it is over. */
const pauseMs = 60;
const maxSearchLength = 254;

/** What is typed, and how it gets into the address and back. */
function useTyped(text: string, search: (text: string) => void) {
  const [typed, setTyped] = useState(text);
  const sent = useRef(text);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const askedAt = useRef(-pauseMs);
  // Something else than this field changed the search: the Back button, or a filter that was taken away. Looked at in the
  // same step as it is drawn: later, more may have been typed and asked, and would be taken back.
  useLayoutEffect(() => {
    if (text === sent.current) return;
    sent.current = text;
    setTyped(text);
  }, [text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (next: string) => {
    setTyped(next);
    clearTimeout(timer.current);
    const ask = () => {
      askedAt.current = performance.now();
      sent.current = next.trimStart();
      search(sent.current);
    };
    const pauseLeftMs = askedAt.current + pauseMs - performance.now();
    // Who types slowly waits for nothing but the answer.
    if (pauseLeftMs <= 0) ask();
    else timer.current = setTimeout(ask, pauseLeftMs);
  };
  return { typed, type };
}

export type SearchFieldProps = {
  /** What the address says. */
  text: string;
  search(text: string): void;
  isWorking: boolean;
  /** The keyboard goes on to the rows. */
  onDown(): void;
};

/** The field that “/” leads to. */
export function SearchField({ text, search, isWorking, onDown }: SearchFieldProps) {
  const texts = usePaymentsTexts();
  const { typed, type } = useTyped(text, search);
  return (
    <div class="field payment-search">
      <label for="payment-search">{texts.search}</label>
      <div class="payment-search-box">
        <input
          id="payment-search"
          type="search"
          autoComplete="off"
          spellcheck={false}
          maxLength={maxSearchLength}
          value={typed}
          aria-describedby="payment-search-hint"
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            onDown();
          }}
        />
        {isWorking && <span class="spinner" aria-hidden="true" />}
      </div>
      <p id="payment-search-hint" class="field-hint">
        {texts.searchHint}
      </p>
    </div>
  );
}
