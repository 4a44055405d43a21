/** Entries of `.gitignore`: files that must not be committed, then an exception, which must come last. */
const entries = ['.service/.env', '.service/.env.*', '!.service/.env.example'];

/**
 * Adds the service's files to a `.gitignore`.
 * @returns the text of `.gitignore` with these entries added; existing lines are kept and not repeated
 */
export function withIgnoredFiles(text: string = ''): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const existing = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = entries.filter((entry) => !existing.has(entry));
  if (missing.length === 0) return text;
  const begun = text === '' || text.endsWith('\n') ? text : `${text}${lineEnd}`;
  return begun + missing.map((entry) => `${entry}${lineEnd}`).join('');
}
