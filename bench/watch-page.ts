// Scripts that run inside a page of the dashboard and take its times: from the page's own clock, to the frame
// that draws something and leaves the page idle. Must not: change the page.

/** The screen when a key's rows were drawn: the codes of the rows, from the top. */
export type ObservedScreen = { ms: number; codes: string[] };

/**
 * Injected into each page before its own script. It observes each frame and reports the time after it was
 * drawn.
 */
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

/**
 * Returns the time from the navigation to the first screen, and the compressed bytes of script until then;
 * null after the limit.
 */
export const firstScreen = (limitMs: number) => `
  watchUntil(isFirstScreen, ${limitMs}).then((ms) => {
    const scripts = performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname.endsWith('.js'));
    const scriptBytes = scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return ms === null ? null : { ms, scriptBytes };
  })`;

/** Returns the time from the navigation to the list of payments; null after the limit. */
export const firstList = (limitMs: number) => `watchUntil(hasRows, ${limitMs})`;

/** Waits for a key press, and then for the rows of a text. */
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

/** Returns the screen when the rows were drawn, and the time since the key press; null after the limit. */
export const keyDrawn = 'drawnOfKey';
