// How a setting is read from the environment, and how its faults are collected.

export type SettingsReader = {
  /** The trimmed text; undefined if the setting is unset or empty. */
  text(name: string): string | undefined;
  /** Reports a fault: a sentence with the setting and the remedy. */
  fault(sentence: string): void;
};

export function readInteger(
  reader: SettingsReader,
  name: string,
  range: { min: number; max: number; fallback: number },
): number {
  const text = reader.text(name);
  if (text === undefined) return range.fallback;
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= range.min && value <= range.max) return value;
  reader.fault(`${name} must be a whole number from ${range.min} to ${range.max}, not "${text}".`);
  return range.fallback;
}

export function readChoice(
  reader: SettingsReader,
  name: string,
  choices: readonly string[],
): string | undefined {
  const text = reader.text(name);
  if (text !== undefined && !choices.includes(text))
    reader.fault(`${name} must be ${choices.join(' or ')}, not "${text}".`);
  return text;
}
