import { fileFormatName } from '#lib/apps/dashboard/payouts/files/file-formats.ts';
import { capitalized, countOf, dateText, moneysText, moneyText, timeText } from '#lib/apps/web/format.ts';
import { byPlace, choiceText, settingLabel, unitOf } from '#lib/apps/dashboard/audit/setting-words.ts';
import { tiersEntry } from '#lib/apps/web/terms-texts.ts';
import type { AuditEntry } from '#lib/wire/people/audit.ts';

const LONGEST_VALUE = 80;
/** Match a day and a time as the service writes them. */
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;

type ActionOf = Pick<AuditEntry, 'action' | 'actor' | 'changes'> & Partial<Pick<AuditEntry, 'count'>>;

/**
 * Describes an action: `program.key_generated` as `Program: key generated`, and one on several objects as `3
 * commissions: approved`. An action of a partner is described as the partner would do it.
 */
export function actionText({ action, actor, changes, count = 1 }: ActionOf): string {
  if (action === 'partner.added' && actor.kind === 'partner') {
    return changes['status']?.to === 'applied' ? 'Applied to the program' : 'Joined the program';
  }
  if (action === 'payout_details.changed' && changes['masked']?.from === null) return 'Payout details: set';
  return plainActionText(action, count);
}

/** An action in words, apart from who did it and what has changed. */
export function plainActionText(action: string, count = 1): string {
  const [subject = '', what = ''] = action.replaceAll('_', ' ').split('.');
  const objects = count > 1 ? countOf(count, subject) : subject;
  return `${capitalized(objects)}: ${what}`;
}

/** Fields that are objects, of which only the changed parts are listed. */
const IN_PARTS: ReadonlySet<string> = new Set(['rules', 'terms']);

type Change = AuditEntry['changes'][string];

/** Returns the parts of an object that differ. */
function partsOf({ from, to }: Change): [string, Change][] {
  const [before, after] = [from ?? {}, to ?? {}] as Readonly<Record<string, unknown>>[];
  const names = new Set([...Object.keys(before!), ...Object.keys(after!)]);
  return [...names]
    .map((name): [string, Change] => [name, { from: before![name] ?? null, to: after![name] ?? null }])
    .filter(([, part]) => JSON.stringify(part.from) !== JSON.stringify(part.to));
}

/**
 * Describes each changed field, such as `Name: Ana → Anna`. Fields have the names and the order that they have on the
 * settings page. A new object has no former values.
 * @param partnerName returns the name of a partner, if it is known
 */
export function changeTexts(
  changes: AuditEntry['changes'],
  partnerName: (id: number) => string | undefined = () => undefined,
): string[] {
  const { currency } = changes;
  return Object.entries(changes)
    .flatMap(([field, change]) => (IN_PARTS.has(field) ? partsOf(change) : [[field, change] as const]))
    .toSorted(([a], [b]) => byPlace(a, b))
    .map(([field, { from, to }]) => {
      const isMoney = field.endsWith('_cents') && currency !== undefined;
      const textOf = (value: unknown, of: unknown): string =>
        (field === 'partner_id' && typeof value === 'number' && partnerName(value)) || valueText(field, value, of);
      const before = from === null ? '' : `${textOf(from, currency?.from)} → `;
      return `${fieldText(field, isMoney)}: ${before}${textOf(to, currency?.to)}`;
    });
}

const fieldText = (field: string, isMoney: boolean): string =>
  settingLabel(field) ?? capitalized((isMoney ? field.replace(/_cents$/, '') : field).replaceAll('_', ' '));

/** Describes a value briefly. @param currency in which amounts are formatted */
function valueText(field: string, value: unknown, currency: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string' && TIME.test(value)) return timeText(value);
  if (typeof value === 'string' && DAY.test(value)) return dateText(value);
  if (field === 'format') return fileFormatName(value) ?? plainText(value);
  if (typeof value === 'number' && field.endsWith('_cents') && typeof currency === 'string') {
    return moneyText(value, currency);
  }
  if (typeof value === 'number') return `${value}${unitOf(field)}`;
  if (field === 'totals') return moneysText(value as Record<string, number>);
  if (field === 'accepted_terms') return `version ${(value as { readonly version: number }).version}`;
  if (field === 'logo') return logoText(value as LogoInEntry);
  if (field === 'tiers') return tiersEntry(value as Parameters<typeof tiersEntry>[0]).replaceAll('\n', ', ');
  const text = choiceText(field, value) ?? plainText(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

type LogoInEntry = Readonly<Record<'width' | 'height', number>>;

const logoText = ({ width, height }: LogoInEntry): string => `${width} × ${height} pixels`;

function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  const isPlainList = Array.isArray(value) && value.every((entry) => typeof entry !== 'object');
  return isPlainList ? value.join(', ') : JSON.stringify(value);
}
