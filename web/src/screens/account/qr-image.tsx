// A text as a QR code, drawn in the browser: it contains a secret that must not be sent anywhere. The code is shown
// as an image and never becomes part of the document.

import { useEffect, useState } from 'preact/hooks';
import { FailedState, LoadingState } from '../../parts/states.tsx';

/** The image, once the library that draws it is loaded. */
export function QrImage({ text, label }: { text: string; label: string }) {
  const [svg, setSvg] = useState<string | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  useEffect(() => {
    import('qr').then(({ default: encodeQR }) => setSvg(encodeQR(text, 'svg', { border: 4 })), setFault);
  }, [text]);
  if (fault) return <FailedState fault={fault} />;
  if (!svg) return <LoadingState />;
  return <img class="qr-picture" src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={label} />;
}
