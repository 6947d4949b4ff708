// The choice of roles, each with its rights. Must not offer a role that the person may not give.

import { useId } from 'preact/hooks';
import { useSession } from '../../api/session.tsx';
import { CheckField } from '../../parts/field.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { type RoleName, rolesToGive, sortRoles } from './may-change.ts';
import { useTeamTexts } from './texts.ts';

type RoleChoiceProps = {
  chosen: readonly RoleName[];
  onInput(roles: RoleName[]): void;
  error?: string | undefined;
  /** The role of owner can't be removed. */
  isOwnerLocked?: boolean;
};

/** Checkboxes. */
export function RoleChoice({ chosen, onInput, error, isOwnerLocked = false }: RoleChoiceProps) {
  const { session } = useSession();
  const texts = useTeamTexts();
  const { roles: names } = useCommonTexts();
  const id = useId();
  const change = (role: RoleName, isOn: boolean) =>
    onInput(sortRoles(isOn ? [...chosen, role] : chosen.filter((one) => one !== role)));
  return (
    <fieldset class="stack role-choice" aria-describedby={error ? id : undefined}>
      <legend class="strong">{texts.roles}</legend>
      {rolesToGive(session).map((role) => {
        const isLocked = role === 'owner' && isOwnerLocked;
        return (
          <CheckField
            key={role}
            label={names[role]}
            hint={isLocked ? texts.onlyOwnerHint : texts.roleHints[role]}
            value={chosen.includes(role)}
            isLocked={isLocked}
            onInput={(isOn) => change(role, isOn)}
          />
        );
      })}
      {error && (
        <p id={id} class="field-error">
          {chosen.length === 0 ? texts.chooseRole : error}
        </p>
      )}
    </fieldset>
  );
}

/** The names of roles, as a list. */
export function RoleNames({ roles }: { roles: readonly string[] }) {
  const { roles: names } = useCommonTexts();
  return (
    <span class="role-names">
      {sortRoles(roles)
        .map((role) => names[role])
        .join(', ')}
    </span>
  );
}
