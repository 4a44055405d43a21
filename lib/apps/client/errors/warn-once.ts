import type { Warning } from '#lib/apps/client/errors/referral-error.ts';

/** Avoids repeated warnings. @returns a function that prints only warnings whose code has not been printed before */
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
