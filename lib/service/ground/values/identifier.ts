/** Represents a sent value that cannot match anything: too long, or not plain text. */
export const MATCHES_NOTHING = '';

export const LONGEST_IDENTIFIER = 255;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

/** Whether a text can be part of a table key: limited length, no control characters, well-formed Unicode. */
export const isPlainText = (text: string): boolean =>
  text.length <= LONGEST_IDENTIFIER && !CONTROL_CHARACTER.test(text) && text.isWellFormed();

/**
 * A `customer_key` or `click_id` as sent: numbers become text, and blank counts as absent. A value that cannot match
 * becomes `MATCHES_NOTHING`, so that "sent" and "not sent" stay distinct.
 */
export function identifierOf(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  return isPlainText(text) ? text : MATCHES_NOTHING;
}

/** The format of a real click id; `lib/service/ground/effects/random.ts` creates them. */
export const CLICK_ID = /^clk_[0-9a-hjkmnp-tv-z]{26}$/;

/** A click id from a field with arbitrary content; undefined if it has another format. */
export const clickIdOf = (value: unknown): string | undefined =>
  typeof value === 'string' && CLICK_ID.test(value) ? value : undefined;

/** A numeric id, sent as a number or in decimal; undefined for anything else. */
export function numericIdOf(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** An optional text cut to a length; undefined for anything but a text. */
export const textOf = (value: unknown, longest: number): string | undefined =>
  typeof value === 'string' ? value.slice(0, longest).toWellFormed() : undefined;
