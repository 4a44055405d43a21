const LONGEST_VALUE = 80;

/** `program.key_generated` as `Program: key generated`. */
export function actionText(action: string): string {
  const [subject = '', what = ''] = action.replaceAll('_', ' ').split('.');
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)}: ${what}`;
}

/** A former or new value, in few words. */
export function valueText(value: unknown): string {
  if (value === null || value === '') return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
