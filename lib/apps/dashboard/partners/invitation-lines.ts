/** One invitation as sent to the service, which checks the fields. */
export interface InvitationLine {
  readonly name?: string;
  readonly email?: string;
  readonly group?: string;
  readonly code?: string;
}

/**
 * A field of a line: either in quotation marks, with quotation marks inside doubled, or the text up to the next
 * separator.
 */
const PART = /[ \r]*(?:"((?:[^"]|"")*)"|([^,;\t]*))[ \r]*([,;\t]|$)/gy;

function partsOf(line: string): string[] {
  const parts: string[] = [];
  for (const [, quoted, plain = '', separator] of line.matchAll(PART)) {
    parts.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (separator === '') break;
  }
  return parts;
}

/**
 * The invitations in a pasted list, one per line: name, e-mail, and optionally group and code. A comma, a semicolon or a
 * tab separates them, as spreadsheets do.
 */
export const invitationsIn = (text: string): InvitationLine[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name, email, group, code] = partsOf(line).map((part) => part || undefined);
      return { name, email, group, code };
    });
