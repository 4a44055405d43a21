import type { Warning } from '#lib/apps/client/errors/referral-error.ts';

/** Returns a function that prints warnings, but a warning with the same code only once. */
export function warnOnce(print: (line: string) => void): (warnings: readonly Warning[]) => void {
  const printed = new Set<string>();
  return (warnings) => {
    for (const { code, message, hint } of warnings) {
      if (printed.has(code)) continue;
      printed.add(code);
      print([message, hint].filter(Boolean).join(' '));
    }
  };
}
