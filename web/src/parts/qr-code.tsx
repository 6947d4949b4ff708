// The QR code of a payment link, on the screen and as a file. The image comes from the API. It is shown as an image
// and never becomes part of the document.

import { useEffect, useState } from 'preact/hooks';
import { useApi } from '../api/queries.ts';
import { useAsyncTask } from '../base/async-task.ts';
import { saveFile } from '../base/save-file.ts';
import { useShowFault } from './action.ts';
import { Button } from './button.tsx';
import { useLinkTexts } from './link-texts.ts';
import { FailedState } from './states.tsx';

const savedPixels = 1024;

/** The blob URL of the image, once it is loaded. */
function useQrImage(code: string) {
  const api = useApi();
  const [url, setUrl] = useState<string | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    let made: string | null = null;
    const load = async () => {
      setFault(null);
      const input = { path: { code }, query: { format: 'svg' as const } };
      const response = await api.fetch('drawQrCode', input, { signal: leaving.signal });
      made = URL.createObjectURL(await response.blob());
      if (leaving.signal.aborted) URL.revokeObjectURL(made);
      else setUrl(made);
    };
    load().catch((refusal) => !leaving.signal.aborted && setFault(refusal));
    return () => {
      leaving.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [api, code, round]);
  return { url, fault, retry: () => setRound(round + 1) };
}

/** Saves the image as a PNG that is large enough for printing. */
function SaveButton({ code }: { code: string }) {
  const api = useApi();
  const showFault = useShowFault();
  const texts = useLinkTexts();
  const { isWorking, run } = useAsyncTask();
  const save = async () => {
    const input = { path: { code }, query: { format: 'png' as const, size: savedPixels } };
    const response = await api.fetch('drawQrCode', input);
    saveFile(`payment-${code}.png`, await response.blob());
  };
  return (
    <Button isSmall isWorking={isWorking} onClick={() => void run(() => save().catch(showFault))}>
      {texts.qrSave}
    </Button>
  );
}

/** The image with a button that saves it. */
export function QrCode({ code }: { code: string }) {
  const texts = useLinkTexts();
  const { url, fault, retry } = useQrImage(code);
  if (fault) return <FailedState fault={fault} retry={retry} />;
  return (
    <div class="stack-small qr">
      <div class="qr-plate">{url && <img src={url} alt={texts.qr} width="176" height="176" />}</div>
      <SaveButton code={code} />
    </div>
  );
}
