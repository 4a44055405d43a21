/**
 * Reads the variables in a `.env` file: one `NAME=value` per line, `#` for comments, and optional quotes around a
 * value.
 */
export function variablesIn(text: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) variables.set(name, valueOf(value));
  }
  return variables;
}

function valueOf(text: string): string {
  const quoted = /^(["'])(.*?)\1\s*(?:#.*)?$/.exec(text);
  return quoted?.[2] ?? text.replace(/(^|\s)#.*$/, '').trim();
}
