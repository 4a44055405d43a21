import { globSync, readFileSync } from 'node:fs';

/** The rooms: the folders of `lib/service`, in order. A room may import itself and the rooms before it. */
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

/** Files that never count as rules: configuration, effects, the table and its items, Stripe's formats, and HTTP. */
const NO_RULE = /^lib\/service\/(?:ground\/(?:config|table)|[^/]+\/effects|conversions\/stripe|http)\/|-items\.ts$/;
const IMPORTED = /'#(lib\/[^']+[.]ts)'/g;

/**
 * Finds the files that contain pure business rules. A file is a rule if it only computes: neither the file nor anything
 * that it imports, including types, uses `Deps`, the table or another effect. All other files of the rooms are actions,
 * items or effects.
 */
export function ruleFiles(): string[] {
  const known = new Map<string, boolean>();
  const isRule = (file: string): boolean => {
    if (NO_RULE.test(file)) return false;
    const before = known.get(file);
    if (before !== undefined) return before;
    // This entry would end the recursion if files imported each other in a cycle. No files do, so it changes no result.
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
