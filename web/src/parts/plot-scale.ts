// The upper end of a plot's axis: a round number not far above the largest value.

const steps = [1, 2, 2.5, 5, 10] as const;

/** The least round number that is not below the largest value; 1 without values. */
export function roundTop(largest: number): number {
  if (!(largest > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  const step = steps.find((one) => one * power >= largest) ?? 10;
  return step * power;
}
