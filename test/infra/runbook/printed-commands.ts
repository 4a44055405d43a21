import { globSync, readFileSync } from 'node:fs';
import { commands } from '#lib/service/operations/operator/commands.ts';

/** A command that a document prints. */
export interface Printed {
  readonly document: string;
  /** The command in one line, with its placeholders such as `<stage>`. */
  readonly text: string;
}

const printed: readonly Printed[] = globSync(['README.md', 'CHANGELOG.md', 'SECURITY.md', 'infra/**/*.md'])
  .toSorted()
  .flatMap((document) => spansOf(readFileSync(document, 'utf8')).map((text) => ({ document, text })));

/** Lines of code blocks, and code within sentences. */
function spansOf(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```\w*\n(.*?)^ *```$/gms)].flatMap(([, block]) => block!.trim().split('\n'));
  const prose = text.replaceAll(/^ *```.*?^ *```$/gms, '');
  const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, span]) => span!.replaceAll(/\s+/g, ' '));
  return [...blocks, ...inline];
}

const matching = (pattern: RegExp): Printed[] => printed.filter(({ text }) => pattern.test(text));

export const cdkCommands = matching(/^npx cdk (?!bootstrap$)/);
export const smokeCommands = matching(/^npm run (--silent )?smoke\b/);
export const awsCommands = matching(/^aws /);

const viaNpm = /^((?:\w+=\S+ )*)npm run (?:--silent )?operator -- /;

/**
 * Operator commands, from their name on or as a whole. The name of a command that has arguments is a mention; so is each name
 * in the list of all commands.
 */
export const operatorCommands = printed.filter(({ document, text }) => {
  if (viaNpm.test(text)) return true;
  const command = commands.find(({ name }) => text === name || text.startsWith(`${name} `));
  if (!command) return false;
  return text !== command.name || (command.usage === command.name && document !== 'infra/runbook/README.md');
});

/** The words after `npm run operator --`, and the variables before it. */
export function operatorWords(text: string): { readonly variables: Record<string, string>; readonly words: string[] } {
  const [npm = '', before = ''] = viaNpm.exec(text) ?? [];
  const variables = Object.fromEntries(wordsOf(before).map((word) => word.split('=', 2) as [string, string]));
  return { variables, words: wordsOf(text.slice(npm.length)) };
}

/** The words of a command, as a shell reads them. */
export const wordsOf = (text: string): string[] =>
  [...text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));

/** @throws Error for a placeholder that has no value */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/<([^<>]+)>/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The placeholder ${placeholder} of "${text}" has no value in this test`);
    return value;
  });
