// How customers reach the company, and its legal pages.

import { bindFields, TextArea, TextField } from '../../parts/field.tsx';
import { useIdentityTexts } from './identity-texts.ts';
import { SectionForm, useSection } from './section-form.tsx';
import { type Company, changeOfIdentity, identityNames, identityOf } from './values.ts';

const shown = identityNames.map((name) => `identity.${name}`);
const url = { type: 'url', inputMode: 'url', autoComplete: 'url', placeholder: 'https://' } as const;

export function IdentitySection({ company }: { company: Company }) {
  const texts = useIdentityTexts();
  const section = useSection({ name: 'identity', saved: identityOf(company), toChange: changeOfIdentity });
  const bind = bindFields(section.values, section.change, section.errors);
  const field = (name: (typeof identityNames)[number]) => ({
    ...bind(name, `identity.${name}`),
    label: texts[name],
    isOptional: true,
  });
  return (
    <SectionForm title={texts.identity} hint={texts.identityHint} section={section} shown={shown}>
      <TextField {...field('supportEmail')} type="email" autoComplete="off" hint={texts.supportEmailHint} />
      <TextField {...field('supportPhone')} type="tel" autoComplete="off" maxLength={32} />
      <TextField {...field('website')} {...url} />
      <TextArea {...field('postalAddress')} rows={4} maxLength={300} hint={texts.postalAddressHint} />
      <TextField {...field('vatId')} autoComplete="off" maxLength={32} />
      <TextField {...field('imprintUrl')} {...url} />
      <TextField {...field('termsUrl')} {...url} />
      <TextField {...field('privacyUrl')} {...url} />
      <TextField
        {...field('statementDescriptor')}
        hint={texts.statementHint}
        autoComplete="off"
        maxLength={22}
      />
    </SectionForm>
  );
}
