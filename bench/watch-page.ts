// What is run inside a page of the dashboard to take its times: from the page's own clock, to the frame in which
// something is drawn and after which nothing keeps the page busy. It must change nothing that it looks at.

/** What stood there when a key's rows were drawn: the codes of the rows, from above. */
export type ObservedScreen = { ms: number; codes: string[] };

/** Put into each page before its own script runs. It looks at each frame, and tells of the time after it was drawn. */
export const watchScript = `
  const has = (selector) => document.querySelector(selector) !== null;
  globalThis.watchUntil = (isThere, limitMs) =>
    new Promise((resolve) => {
      const endAt = performance.now() + limitMs;
      const look = () => {
        if (isThere()) setTimeout(() => resolve(performance.now()));
        else if (performance.now() > endAt) resolve(null);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  globalThis.isFirstScreen = () => has('h1') && has('.sums') && !has('.loading');
  globalThis.isAnswered = (typed) =>
    performance
      .getEntriesByType('resource')
      .some(({ name, responseEnd }) => responseEnd > 0 && new URL(name).searchParams.get('text') === typed);
  globalThis.hasRows = () =>
    has('.payment-rows[aria-busy="false"] tbody tr') && !has('.payment-rows .loading');
`;

/** Gives how long after the navigation the first screen was there, and the compressed bytes of script until then; null after the limit. */
export const firstScreen = (limitMs: number) => `
  watchUntil(isFirstScreen, ${limitMs}).then((ms) => {
    const scripts = performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname.endsWith('.js'));
    const scriptBytes = scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return ms === null ? null : { ms, scriptBytes };
  })`;

/** Gives how long after the navigation the payments were listed; null after the limit. */
export const firstList = (limitMs: number) => `watchUntil(hasRows, ${limitMs})`;

/** Begins to wait for a key press, and then for the rows of a text. */
export const awaitKey = (typed: string, limitMs: number) => `
  globalThis.drawnOfKey = (() => {
    let pressedAt = null;
    addEventListener('keydown', ({ timeStamp }) => { pressedAt = timeStamp; }, { capture: true, once: true });
    const isDrawn = () => pressedAt !== null && isAnswered(${JSON.stringify(typed)}) && hasRows();
    return watchUntil(isDrawn, ${limitMs}).then((at) => {
      const links = document.querySelectorAll('.payment-rows tbody .row-link');
      const codes = [...links].map(({ pathname }) => pathname.split('/').at(-1));
      return at === null ? null : { ms: at - pressedAt, codes };
    });
  })();
  null`;

/** Gives what stood there when the rows were there, how long after the key press; null after the limit. */
export const keyDrawn = 'drawnOfKey';
