import { capitalized } from '#lib/apps/web/format.ts';

/** One invitation in the form in which it is sent. The service checks its fields. */
export interface InvitationLine {
  readonly name?: string;
  readonly email?: string;
  readonly group?: string;
  readonly code?: string;
}

/**
 * Matches a field of a line: text in quotation marks, in which a quotation mark is doubled, or the text up to the next
 * separator.
 */
const PART = /[ \r]*(?:"((?:[^"]|"")*)"|([^,;\t]*))[ \r]*([,;\t]|$)/gy;

/** Matches a person as mail programs write one, `Ana Silva <ana@example.com>`, and what follows. */
const MAILBOX = /^\s*"?([^"<>]*?)"?\s*<([^<>\s]+@[^<>\s]+)>[ \r]*(?:[,;\t]([^]*))?$/;

function partsOf(line: string): string[] {
  const parts: string[] = [];
  const [, mailName, mailAddress, rest] = MAILBOX.exec(line) ?? [];
  if (mailAddress !== undefined) return [mailName!, mailAddress, ...partsOf(rest ?? '')];
  for (const [, quoted, plain = '', separator] of line.matchAll(PART)) {
    parts.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (separator === '') break;
  }
  return parts;
}

/** The lines of a pasted list, without empty ones. */
export const linesIn = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/**
 * Reads the invitations in a pasted list. Each line has a name, an e-mail address, and optionally a group and a code.
 * They are separated by commas, semicolons or tabs, as in spreadsheets. Name and address may also be written as `Ana
 * <ana@example.com>`.
 */
export const invitationsIn = (text: string): InvitationLine[] =>
  linesIn(text).map((line) => {
    const parts = partsOf(line).map((part) => part || undefined);
    // A line with an address alone lacks the name, and not the address.
    const [name, email, group, code] = parts;
    return name?.includes('@') && email === undefined
      ? { name: undefined, email: name, group, code }
      : { name, email, group, code };
  });

/** Names of the fields as a person reads them. */
const labels: Readonly<Record<string, string>> = {
  name: 'name',
  email: 'e-mail address',
  group: 'group',
  code: 'code',
};

/**
 * The service's reason for refusing a line, in the words of the list. The service names all required fields if one is
 * missing.
 */
export function refusalText(error: string, line: Pick<InvitationLine, 'name' | 'email'>): string {
  const required = /^Missing required fields: (.+)$/.exec(error)?.[1]?.split(', ');
  if (required) {
    const missing = required.filter((field) => !line[field as 'name' | 'email']);
    const fields = capitalized(missing.map((field) => labels[field] ?? field).join(' and '));
    return `${fields} ${missing.length === 1 ? 'is' : 'are'} missing`;
  }
  const [field = ''] = error.split(' ', 1);
  return labels[field] === undefined ? error : capitalized(labels[field]) + error.slice(field.length);
}
