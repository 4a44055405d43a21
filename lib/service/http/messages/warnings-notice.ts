import { type WarningCode, warnings } from '#lib/service/ground/values/warnings.ts';
import { after } from '#lib/service/http/messages/middleware.ts';
import type { Reply } from '#lib/service/http/messages/request-context.ts';
import type { Warning } from '#lib/wire/traffic/warnings.ts';

/** Adds warnings to `warnings`, which is beside the result or the error in the reply. */
export function withWarnings(reply: Reply, entries: readonly object[]): void {
  const former = (reply.body?.warnings ?? []) as readonly object[];
  reply.body = { ...reply.body, warnings: [...former, ...entries] };
}

/** A middleware that adds the warnings of the call to the reply. */
export const warningsNotice = () =>
  after(({ warnings: codes, deps }, reply) => {
    if (codes.length > 0)
      withWarnings(
        reply,
        codes.map((code) => warningEntry(code, deps.config.docsUrl)),
      );
  });

const warningEntry = (code: WarningCode, docsUrl: string): Warning => ({
  code,
  ...warnings[code],
  docs_url: `${docsUrl}#${code}`,
});
