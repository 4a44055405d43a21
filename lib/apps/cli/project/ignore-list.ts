/**
 * Lines for `.gitignore`: first the files that must not be committed, then an exception, which only works if it comes
 * last.
 */
const entries = ['.service/.env', '.service/.env.*', '!.service/.env.example'];

/**
 * Adds the entries to a `.gitignore`, after its existing lines. Entries that it already has are not added again.
 * @returns the new text
 */
export function withIgnoredFiles(text: string = ''): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const existing = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = entries.filter((entry) => !existing.has(entry));
  if (missing.length === 0) return text;
  const begun = text === '' || text.endsWith('\n') ? text : `${text}${lineEnd}`;
  return begun + missing.map((entry) => `${entry}${lineEnd}`).join('');
}
