import { type WarningCode, warnings } from '#lib/service/ground/values/warnings.ts';

/** Returns an entry of the field `warnings` in a reply. */
export const warned = (code: WarningCode) => ({
  code,
  message: warnings[code].message,
  hint: warnings[code].hint,
  docs_url: `https://track.test/docs/errors#${code}`,
});
