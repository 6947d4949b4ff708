// The hosted page as a customer would see it with the unsaved values, rendered by the service. The frame runs no
// scripts and sends no forms: its sandbox allows only the same origin, which the service's stylesheets require
// (Cross-Origin-Resource-Policy). The policy of the dashboard also applies in it, because its URL is a blob.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Input } from '../../api/call.ts';
import { useApiQuery } from '../../api/queries.ts';
import { readColor } from '../../base/contrast.ts';
import { useLanguage } from '../../base/language.tsx';
import { listPageLanguages } from '../../base/page-languages.ts';
import { Segments, SelectField } from '../../parts/field.tsx';
import { LoadingState } from '../../parts/page.tsx';
import { useSettingsTexts } from './texts.ts';
import type { Branding } from './values.ts';

type Request = Input<'previewPage'>['body'];
type Locale = NonNullable<Request['locale']>;
type PreviewStatus = NonNullable<Request['status']>;

const states: readonly PreviewStatus[] = ['open', 'processing', 'paid', 'failed', 'expired', 'cancelled'];
const widths = { phone: 360, desktop: 960 } as const;
type Device = keyof typeof widths;

const settledMs = 300;
const minHeightPixels = 320;
/** A higher page is scaled down, so that all of it is visible beside the form. */
const maxHeightPixels = 840;

/** A value, after it has not changed for a while. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as T), settledMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The typed values that can be previewed. For a half-typed colour or an empty name, the saved value is shown. */
function toRequest({ name, color }: Branding): Request {
  const read = readColor(color);
  return {
    ...(name.trim() === '' ? {} : { name }),
    ...(color.trim() === '' ? { color: null } : read ? { color: read } : {}),
  };
}

/** A blob has no base for relative URLs, and the policy allows no other base. */
const withAbsoluteUrls = (html: string) => html.replace(/ (href|src)="\/(?!\/)/g, ` $1="${location.origin}/`);

type Picture = { url: string; height: number };

/** The page as a blob URL. The previous one stays until the next is rendered. */
function usePicture(html: string | undefined) {
  const [shown, setShown] = useState<Picture | null>(null);
  const [next, setNext] = useState<string | null>(null);
  useEffect(() => {
    if (html === undefined) return;
    const url = URL.createObjectURL(new Blob([withAbsoluteUrls(html)], { type: 'text/html' }));
    setNext(url);
    return () => URL.revokeObjectURL(url);
  }, [html]);
  const onLoaded = (url: string, frame: HTMLIFrameElement) => {
    const height = frame.contentDocument?.documentElement.scrollHeight ?? 0;
    setShown({ url, height });
    setNext((now) => (now === url ? null : now));
  };
  return { shown, next, onLoaded };
}

function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}

function Stage({ html, device, title }: { html: string | undefined; device: Device; title: string }) {
  const { shown, next, onLoaded } = usePicture(html);
  const { element, width } = useWidth();
  const frames = [shown?.url, next].filter((url) => typeof url === 'string');
  const height = shown?.height ?? 0;
  const scale = Math.min(1, width / widths[device], maxHeightPixels / Math.max(height, minHeightPixels));
  // A page is at least as high as its frame, so it is measured in a low one.
  const heightOf = (url: string) => (url === shown?.url ? height : minHeightPixels);
  return (
    <div ref={element} class="preview-stage" style={{ height: `${Math.ceil(height * scale)}px` }}>
      {!shown && <LoadingState rows={5} />}
      {frames.map((url) => (
        <iframe
          key={url}
          class={url === shown?.url ? 'preview-frame' : 'preview-frame preview-next'}
          sandbox="allow-same-origin"
          src={url}
          title={title}
          aria-hidden={url === shown?.url ? undefined : true}
          tabIndex={-1}
          style={{
            width: `${widths[device]}px`,
            height: `${heightOf(url)}px`,
            left: `${Math.max(0, (width - widths[device] * scale) / 2)}px`,
            transform: `scale(${scale})`,
          }}
          onLoad={(event) => onLoaded(url, event.currentTarget)}
        />
      ))}
    </div>
  );
}

/** The last rendered page, also while the next one is refused or loading. */
function usePage(branding: Branding, locale: Locale, status: PreviewStatus) {
  const body = useSettled({ ...toRequest(branding), locale, status });
  const result = useApiQuery('previewPage', { body }, { keepsPrevious: true });
  const last = useRef<string | undefined>(undefined);
  if (result.data && !result.isPlaceholderData) last.current = result.data.html;
  return { html: last.current, hasFailed: result.error !== null };
}

export function Preview({ branding }: { branding: Branding }) {
  const { language } = useLanguage();
  const texts = useSettingsTexts();
  const [device, setDevice] = useState<Device>('phone');
  const [locale, setLocale] = useState<Locale>(language);
  const [state, setState] = useState<PreviewStatus>('open');
  const { html, hasFailed } = usePage(branding, locale, state);
  return (
    <div class="stack-small">
      <h3>{texts.preview}</h3>
      <div class="filters preview-choices">
        <Segments
          label={texts.window}
          value={device}
          onInput={setDevice}
          choices={(['phone', 'desktop'] as const).map((value) => ({ value, label: texts[value] }))}
        />
        <SelectField
          label={texts.pageLanguage}
          value={locale}
          onInput={setLocale}
          choices={listPageLanguages(language)}
        />
        <SelectField
          label={texts.page}
          value={state}
          onInput={setState}
          choices={states.map((value) => ({ value, label: texts.states[value] }))}
        />
      </div>
      <p role="status" class="quiet small">
        {hasFailed ? texts.previewFailed : texts.previewHint}
      </p>
      {(html !== undefined || !hasFailed) && (
        <Stage key={device} html={html} device={device} title={texts.previewTitle} />
      )}
    </div>
  );
}
