import { globSync, readFileSync } from 'node:fs';

/** The rooms of `lib/service`, the lowest first: each uses itself and those before it. */
export const rooms = [
  'ground',
  'people',
  'programs',
  'traffic',
  'earnings',
  'conversions',
  'reports',
  'outbox',
  'operations',
  'http',
] as const;

/** What is no rule by its place or name: configuration, effects, the table and its items, a processor's words, HTTP. */
const NO_RULE = /^lib\/service\/(?:ground\/(?:config|table)|[^/]+\/effects|conversions\/stripe|http)\/|-items\.ts$/;
const IMPORTED = /'#(lib\/[^']+[.]ts)'/g;

/**
 * The files of the business's pure rules. A rule computes: neither it nor what it imports, also by type, knows `Deps`, the
 * table or another effect. Everything else in the rooms is an action, an item or an effect.
 */
export function ruleFiles(): string[] {
  const known = new Map<string, boolean>();
  const isRule = (file: string): boolean => {
    if (NO_RULE.test(file)) return false;
    const before = known.get(file);
    if (before !== undefined) return before;
    // There are no cycles; were there one, it would not keep a file from being a rule.
    known.set(file, true);
    const answer = [...readFileSync(file, 'utf8').matchAll(IMPORTED)].every(([, imported]) => isRule(imported!));
    known.set(file, answer);
    return answer;
  };
  return globSync('lib/service/**/*.ts')
    .map((file) => file.replaceAll('\\', '/'))
    .filter(isRule)
    .toSorted();
}
