// The search of the payments. Each key press starts a search and drops the previous one. The field keeps the typed text
// even while the URL still has the previous one.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePaymentsTexts } from './texts.ts';

/** Keys pressed sooner than this after a search are searched together, at the end of this time. */
const pauseMs = 60;
const maxSearchLength = 254;

/** The typed text, and its exchange with the URL. */
function useTyped(text: string, search: (text: string) => void) {
  const [typed, setTyped] = useState(text);
  const sent = useRef(text);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const askedAt = useRef(-pauseMs);
  // Something other than this field changed the search: the Back button, or a removed filter. Read in the same step as
  // the render: later, more may have been typed and searched, and would be lost.
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
    // A slow typist waits only for the response.
    if (pauseLeftMs <= 0) ask();
    else timer.current = setTimeout(ask, pauseLeftMs);
  };
  return { typed, type };
}

type SearchFieldProps = {
  /** The search text in the URL. */
  text: string;
  search(text: string): void;
  isWorking: boolean;
  /** Moves the focus to the rows. */
  onDown(): void;
};

/** The field that “/” focuses. */
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
