import { moneysText, moneyText, timeText } from '#lib/apps/web/format.ts';
import type { AuditEntry } from '#lib/wire/people/audit.ts';

const LONGEST_VALUE = 80;
/** A time as formatted by the service. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;

/**
 * An action in words: `program.key_generated` becomes `Program: key generated`. Acts of partners are worded from their
 * point of view.
 */
export function actionText({ action, actor, changes }: Pick<AuditEntry, 'action' | 'actor' | 'changes'>): string {
  if (action === 'partner.added' && actor.kind === 'partner') {
    return changes['status']?.to === 'applied' ? 'Applied to the program' : 'Joined the program';
  }
  if (action === 'payout_details.changed' && changes['masked']?.from === null) return 'Payout details: set';
  const [subject = '', what = ''] = action.replaceAll('_', ' ').split('.');
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)}: ${what}`;
}

/** A text for each changed field, such as `name: Ana → Anna`; for something new only its value. */
export function changeTexts(changes: AuditEntry['changes']): string[] {
  const { currency } = changes;
  return Object.entries(changes).map(([field, { from, to }]) => {
    const isMoney = field.endsWith('_cents') && currency !== undefined;
    const before = from === null ? '' : `${valueText(field, from, currency?.from)} → `;
    return `${fieldText(field, isMoney)}: ${before}${valueText(field, to, currency?.to)}`;
  });
}

const fieldText = (field: string, isMoney: boolean): string =>
  (isMoney ? field.replace(/_cents$/, '') : field).replaceAll('_', ' ');

/** An old or new value as a short text. @param currency for amounts */
function valueText(field: string, value: unknown, currency: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'none';
  if (typeof value === 'string' && TIME.test(value)) return timeText(value);
  if (typeof value === 'number' && field.endsWith('_cents') && typeof currency === 'string') {
    return moneyText(value, currency);
  }
  if (field === 'totals') return moneysText(value as Record<string, number>);
  if (field === 'accepted_terms') return `version ${(value as { readonly version: number }).version}`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
