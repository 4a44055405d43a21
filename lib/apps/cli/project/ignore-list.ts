/** Files that version control must ignore, and the exception, which must come after them. */
const entries = ['.service/.env', '.service/.env.*', '!.service/.env.example'];

/** @returns `.gitignore` with our entries; existing lines stay where they are and are not repeated */
export function withIgnoredFiles(text: string = ''): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const existing = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = entries.filter((entry) => !existing.has(entry));
  if (missing.length === 0) return text;
  const begun = text === '' || text.endsWith('\n') ? text : `${text}${lineEnd}`;
  return begun + missing.map((entry) => `${entry}${lineEnd}`).join('');
}
