// Formats a body for reading: indented, with escapes for characters that are invisible or change the text direction.
// The meaning must stay the same, so the escapes are those of JSON.

/**
 * Characters that are invisible or change how the text around them is shown: controls, direction marks, unusual spaces,
 * tags.
 */
const unseen = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

const writtenOut = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

export function printJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).replace(unseen, writtenOut);
  } catch {
    return text;
  }
}
