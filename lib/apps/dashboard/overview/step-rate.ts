import { roundedText, rateText } from '#lib/apps/web/format.ts';

/**
 * Relates a step of the funnel to the step before it: `13.6% of clicks`. Renewals are sales too, so there may be more
 * sales than leads: `2.5 per lead`.
 * @param before singular name of the step before and its count
 */
export function stepRate(count: number, before: readonly [name: string, count: number]): string {
  const [name, whole] = before;
  if (whole === 0) return '–';
  return count > whole ? `${roundedText(count / whole)} per ${name}` : `${rateText(count / whole)} of ${name}s`;
}
