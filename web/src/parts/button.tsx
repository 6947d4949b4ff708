// Buttons and links. A busy button shows it and ignores a second press. Its text stays readable.

import type { ComponentChildren, JSX } from 'preact';
import { Link } from 'wouter-preact';
import { useCommonTexts } from '../texts/common.ts';

export type Weight = 'main' | 'plain' | 'bad' | 'bare';

type ButtonProps = {
  children: ComponentChildren;
  weight?: Weight;
  isSmall?: boolean;
  isWorking?: boolean;
} & Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, 'class' | 'children'>;

const classOf = (weight: Weight, isSmall: boolean) =>
  `button button-${weight}${isSmall ? ' button-small' : ''}`;

export function Button({
  children,
  weight = 'plain',
  isSmall = false,
  isWorking = false,
  ...rest
}: ButtonProps) {
  const { working } = useCommonTexts();
  return (
    <button
      type="button"
      {...rest}
      class={classOf(weight, isSmall)}
      aria-disabled={isWorking || undefined}
      onClick={isWorking ? (event) => event.preventDefault() : rest.onClick}
    >
      {children}
      {isWorking && <span class="spinner" role="status" aria-label={working} />}
    </button>
  );
}

type LinkButtonProps = { to: string; children: ComponentChildren; weight?: Weight; isSmall?: boolean };

export function LinkButton({ to, children, weight = 'plain', isSmall = false }: LinkButtonProps) {
  return (
    <Link href={to} class={classOf(weight, isSmall)}>
      {children}
    </Link>
  );
}

type OuterLinkProps = { to: string; children: ComponentChildren; weight?: Weight };

/** An external link in a new tab; with a weight it looks like a button. */
export function OuterLink({ to, children, weight }: OuterLinkProps) {
  return (
    <a href={to} target="_blank" rel="noopener noreferrer" class={weight && classOf(weight, false)}>
      {children}
    </a>
  );
}
