// The styles of emails: inline for every mail program, and a style sheet for dark mode. Only a company's checked colour
// may become part of a style.

/** Colours as on the hosted pages. The class names are those of the style sheet below. */
export const lightColours = {
  page: '#f1f3f7',
  card: '#ffffff',
  ink: '#17202e',
  muted: '#536073',
  line: '#d8dde6',
  warning: '#b54708',
} as const;

export const darkColours = {
  page: '#0e131a',
  card: '#171e28',
  ink: '#e9eef5',
  muted: '#a5b1c2',
  line: '#2c3645',
  warning: '#ffc078',
  /** Separates a dark button from the card. */
  edge: '#6f7d91',
} as const;

/** White: every accepted brand colour has enough contrast with it. */
export const buttonText = '#ffffff';

/** The button colour of a company without its own, as on the hosted pages. */
export const defaultBrandColour = '#1849a9';

/** The colour if it is one, else the default: a value must not add anything to a style. */
export function styleColour(colour: string): string {
  return /^#[0-9a-f]{6}$/i.test(colour) ? colour : defaultBrandColour;
}

// Mail programs without style sheets show the light colours. Outlook does not know the logical properties of CSS.
export const styleSheet = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.inner{padding:24px 20px !important}.under{padding:16px 20px 0 !important}.amount{font-size:30px !important;line-height:38px !important}}
@media (prefers-color-scheme:dark){
.page{background-color:${darkColours.page} !important}
.card{background-color:${darkColours.card} !important}
.ink{color:${darkColours.ink} !important}
.muted{color:${darkColours.muted} !important}
.line{border-color:${darkColours.line} !important}
.warning{border-color:${darkColours.warning} !important;color:${darkColours.warning} !important}
.button{border-color:${darkColours.edge} !important}
}`;
