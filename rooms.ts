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

/** Files without rules, by place or name: configuration, effects, the table and its items, Stripe's formats, HTTP. */
const NO_RULE = /^lib\/service\/(?:ground\/(?:config|table)|[^/]+\/effects|conversions\/stripe|http)\/|-items\.ts$/;
const IMPORTED = /'#(lib\/[^']+[.]ts)'/g;

/**
 * The files of the pure business rules. A rule only computes: neither the file nor its imports, including types, use
 * `Deps`, the table or another effect. All other files of the rooms are actions, items or effects.
 */
export function ruleFiles(): string[] {
  const known = new Map<string, boolean>();
  const isRule = (file: string): boolean => {
    if (NO_RULE.test(file)) return false;
    const before = known.get(file);
    if (before !== undefined) return before;
    // There are no import cycles. A cycle would not prevent a file from counting as a rule.
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
