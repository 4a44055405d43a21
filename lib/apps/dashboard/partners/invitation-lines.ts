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

function partsOf(line: string): string[] {
  const parts: string[] = [];
  for (const [, quoted, plain = '', separator] of line.matchAll(PART)) {
    parts.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (separator === '') break;
  }
  return parts;
}

/**
 * Reads the invitations in a pasted list. Each line has a name, an e-mail address, and optionally a group and a code.
 * They are separated by commas, semicolons or tabs, as in spreadsheets.
 */
export const invitationsIn = (text: string): InvitationLine[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name, email, group, code] = partsOf(line).map((part) => part || undefined);
      return { name, email, group, code };
    });
