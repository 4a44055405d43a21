/** Names of fields in sentences, if they are not simply the words of the field's API name. */
const names: Readonly<Record<string, string>> = {
  url: 'Address',
  group_id: 'Group',
  processor_code_id: 'Stripe id',
  join: 'Who becomes a partner',
  email: 'E-mail',
  payout_days: 'Payout days',
  bic: 'BIC',
};

/** Returns a field's name in words, such as `Commission rate`, without its unit. */
export function fieldName(field: string): string {
  const words = field.replace(/_(?:days|months|cents)$/, '').replaceAll('_', ' ');
  return names[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Fields whose values are chosen from a fixed set, so that an underscore in a value is a space for readers. */
const chosen: ReadonlySet<string> = new Set([
  'status',
  'commission_type',
  'commission_base',
  'lead_auth',
  'code_precedence',
  'terms_apply',
  'join',
]);

const LONGEST = 80;

/** Describes a value in words; undefined if it is an object, or too long for a sentence. */
function valueText(field: string, value: unknown): string | undefined {
  if (value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value) && value.length === 0) return 'none';
  if (Array.isArray(value) && value.some((entry) => typeof entry === 'object')) return undefined;
  if (Array.isArray(value)) return valueText(field, value.join(', '));
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value.length > LONGEST) return undefined;
  return chosen.has(field) ? value.replaceAll('_', ' ') : value;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Describes how long ago a change was: `a minute ago`, `5 minutes ago`, `3 days ago`. */
export function agoText(at: string, now: string): string {
  const passed = Math.max(0, Date.parse(now) - Date.parse(at));
  if (passed < 1.5 * MINUTE_MS) return 'a minute ago';
  if (passed < HOUR_MS) return `${Math.round(passed / MINUTE_MS)} minutes ago`;
  if (passed < 1.5 * HOUR_MS) return 'an hour ago';
  if (passed < DAY_MS) return `${Math.round(passed / HOUR_MS)} hours ago`;
  return passed < 1.5 * DAY_MS ? 'a day ago' : `${Math.round(passed / DAY_MS)} days ago`;
}

interface Change {
  readonly by: { readonly name: string } | null;
  readonly at: string | null;
  readonly field: string;
  readonly value: unknown;
}

/**
 * Describes another person's change: `Kim changed Commission rate to 22 a minute ago`.
 * @param textOf describes values that are not a plain text or number
 */
export function conflictText(
  { by, at, field, value }: Change,
  now: string,
  textOf: (field: string, value: unknown) => string | undefined = () => undefined,
): string {
  const to = textOf(field, value) ?? valueText(field, value);
  const what = `${fieldName(field)}${to === undefined ? '' : ` to ${to}`}`;
  return `${by?.name ?? 'Someone else'} changed ${what}${at === null ? '' : ` ${agoText(at, now)}`}`;
}
