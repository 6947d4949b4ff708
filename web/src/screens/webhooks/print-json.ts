// A body as people read it: indented, and with characters that turn the direction of a text or can't be seen written out.
// It must mean the same as before, so that what is written out is JSON's own way to write such a character.

/** What is invisible or changes how the text around it is shown: controls, direction marks, odd spaces, tags. */
const unseen = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

const writtenOut = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Indented where it is JSON; a text that is none comes back as it is. */
export function printJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).replace(unseen, writtenOut);
  } catch {
    return text;
  }
}
