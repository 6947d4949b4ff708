// A new payment link: the form, then the created link. The URL identifies the link, so that a reload shows it again
// and the Back button leads to a form for another one.

import { useUrlState } from '../../base/url-state.ts';
import { Page } from '../../parts/page.tsx';
import { LoadingState } from '../../parts/states.tsx';
import { CreatedLink } from './created-link.tsx';
import { LinkForm } from './link-form.tsx';
import './new-link.css';
import { useNewLinkTexts } from './texts.ts';
import { useFirstAddresses } from './use-draft.ts';

/** The form, once the return URLs are known. */
function FirstForm({ onCreated }: Pick<Parameters<typeof LinkForm>[0], 'onCreated'>) {
  const texts = useNewLinkTexts();
  const addresses = useFirstAddresses();
  if (addresses) return <LinkForm addresses={addresses} onCreated={onCreated} />;
  return (
    <Page title={texts.title}>
      <LoadingState rows={6} />
    </Page>
  );
}

/** The form of a new payment link, then the link. */
export default function NewLinkScreen() {
  const [{ made = '', replayed = '' }, change] = useUrlState();
  if (made !== '')
    return (
      <CreatedLink
        key={made}
        created={{ code: made, isReplayed: replayed !== '' }}
        onReset={() => change({ made: '', replayed: '' }, { isStep: true })}
      />
    );
  return (
    <FirstForm
      onCreated={({ code, isReplayed }) =>
        change({ made: code, replayed: isReplayed ? 'yes' : '' }, { isStep: true })
      }
    />
  );
}
