// The company's logo and its dark variant: the image, how to choose another, and how to remove it. Each is saved at once.

import { useId, useState } from 'preact/hooks';
import { ApiProblem } from '../../api/call.ts';
import { useApi, useApiMutation } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { useExplain } from '../../texts/problems.ts';
import { drawSmallPng, type LogoFault, readLogoFile } from './draw-logo.ts';
import { useIdentityTexts } from './identity-texts.ts';
import { type Company, logoUrlsOf } from './values.ts';

type Variant = 'light' | 'dark';

/** The path of a logo: the dashboard loads it from its own address, whatever the service is called outside. */
export const pathOfLogo = (url: string | null): string | null =>
  url === null ? null : new URL(url).pathname;

export function LogoImage({ path, variant }: { path: string; variant: Variant }) {
  const texts = useIdentityTexts();
  return (
    <div class={variant === 'dark' ? 'row logo-picture logo-dark' : 'row logo-picture'}>
      <img src={path} alt={texts.logos[variant]} />
    </div>
  );
}

const changed = { invalidates: ['getCompany', 'previewPage'] } as const;

/** Uploads and removes a variant. */
function useLogo(variant: Variant, { branding }: Company) {
  const api = useApi();
  const upload = useApiMutation('uploadLogo', changed);
  const remove = useApiMutation('deleteLogo', changed);
  // Emails and PDF files cannot show SVG, and another program may delete the upload: they get the small PNG of the settings.
  const setSmall = async (logo: string | null) => {
    if (variant === 'light' && logo !== branding.logo)
      await api.call('changeCompany', { body: { branding: { logo } } });
  };
  return {
    isWorking: upload.isPending || remove.isPending,
    upload: async (file: Blob) => {
      // Before the upload, which refreshes what is shown.
      const small = variant === 'light' ? await drawSmallPng(file) : null;
      await upload.mutateAsync({ body: file, query: { variant } });
      // An old one is better than none.
      if (small !== null) await setSmall(small);
    },
    remove: async () => {
      await setSmall(null);
      await remove.mutateAsync({ query: { variant } });
    },
  };
}

type Result = { text: string; isFault: boolean };

/** Why the service refused a file: its own sentence names what is in the file. */
function useRefusal() {
  const explain = useExplain();
  const texts = useIdentityTexts();
  return (fault: unknown): string => {
    const refused =
      fault instanceof ApiProblem ? fault.problem.errors.find(({ field }) => field === 'body') : null;
    return refused ? texts.refusedFile({ reason: refused.detail }) : explain(fault).sentence;
  };
}

export function LogoFile({ variant, company }: { variant: Variant; company: Company }) {
  const id = useId();
  const texts = useIdentityTexts();
  const { isWorking, upload, remove } = useLogo(variant, company);
  const [result, setResult] = useState<Result | null>(null);
  const describe = useRefusal();
  const path = pathOfLogo(logoUrlsOf(company)[variant]);
  const run = async (work: () => Promise<unknown>, done: string) => {
    setResult(null);
    try {
      await work();
      setResult({ text: done, isFault: false });
    } catch (fault) {
      setResult({ text: describe(fault), isFault: true });
    }
  };
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const read = await readLogoFile(file);
    const faults: Record<LogoFault, string> = { wrongType: texts.wrongType, tooLarge: texts.tooLarge };
    if (typeof read === 'string') setResult({ text: faults[read], isFault: true });
    else await run(async () => await upload(read), texts.logoSaved);
  };
  const isWrong = result?.isFault === true;
  return (
    <fieldset class={isWrong ? 'field field-wrong' : 'field'} disabled={isWorking}>
      <legend>{texts.logos[variant]}</legend>
      {path === null ? (
        <p class="quiet">{texts.noLogos[variant]}</p>
      ) : (
        <LogoImage path={path} variant={variant} />
      )}
      <div class="actions file-choice">
        <input
          id={id}
          class="unseen"
          type="file"
          accept="image/png,image/svg+xml"
          aria-invalid={isWrong ? true : undefined}
          aria-describedby={`${id}-hint ${id}-result`}
          onChange={(event) => {
            const input = event.currentTarget;
            // Lets the same file be chosen again.
            void choose(input.files?.[0]).finally(() => {
              input.value = '';
            });
          }}
        />
        <label for={id} class="button button-plain">
          {texts.chooseLogos[variant]}
        </label>
        {path !== null && (
          <Button onClick={() => void run(remove, texts.logoRemoved)}>{texts.removeLogos[variant]}</Button>
        )}
      </div>
      <p id={`${id}-result`} role="status" class={isWrong ? 'field-error' : 'field-hint'}>
        {result?.text}
      </p>
      <p id={`${id}-hint`} class="field-hint">
        {texts.logoHints[variant]}
      </p>
    </fieldset>
  );
}
