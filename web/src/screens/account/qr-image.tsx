// A text as a QR code, drawn in the browser: it contains a secret that must not be sent anywhere. Must not be
// built from markup.

import { useEffect, useState } from 'preact/hooks';
import { FailedState, LoadingState } from '../../parts/states.tsx';
import { outlineQr, type QrOutline } from './qr-outline.ts';

/** The image, once the library that draws it is loaded. */
export function QrImage({ text, label }: { text: string; label: string }) {
  const [outline, setOutline] = useState<QrOutline | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  useEffect(() => {
    import('qrcode-generator').then(({ default: encode }) => setOutline(outlineQr(encode, text)), setFault);
  }, [text]);
  if (fault) return <FailedState fault={fault} />;
  if (!outline) return <LoadingState />;
  const { side, path } = outline;
  return (
    <svg class="qr-picture" role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`}>
      <path d={path} />
    </svg>
  );
}
