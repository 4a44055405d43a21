/** What version control must not see, and the one exception, which has to come after what it is taken from. */
const entries = ['.service/.env', '.service/.env.*', '!.service/.env.example'];

/** @returns `.gitignore` with our entries; lines that it holds stay where they are and come only once */
export function withIgnoredFiles(text: string = ''): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const existing = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = entries.filter((entry) => !existing.has(entry));
  if (missing.length === 0) return text;
  const begun = text === '' || text.endsWith('\n') ? text : `${text}${lineEnd}`;
  return begun + missing.map((entry) => `${entry}${lineEnd}`).join('');
}
