import { countedHeaders } from '#test/support/callers/headers.ts';
import type { TestReply } from '#test/support/callers/request.ts';
import { platformError } from '#test/support/servers/errors.ts';

// Complete replies of the dashboard and the portal.

/** @param used requests in the minute, including this one */
export const dataReply = (data: unknown, used = 1, at?: Date): TestReply => ({
  status: 200,
  headers: countedHeaders(300, used, at),
  body: { data },
});

/** A page of a list, without a next one. @param used requests in the minute, including this one */
export const pageReply = (data: readonly unknown[], used = 1, at?: Date): TestReply => ({
  status: 200,
  headers: countedHeaders(300, used, at),
  body: { data, meta: { next_cursor: null } },
});

/** A page of facts that are stored since then. @param used requests in the minute, including this one */
export const factsReply = (data: readonly unknown[], since: string, used = 1): TestReply => ({
  ...pageReply(data, used),
  body: { data, meta: { next_cursor: null, since } },
});

/** @param used requests in the minute, including this one */
export const refusedReply = (status: number, message: string, used = 1, at?: Date): TestReply => ({
  status,
  headers: countedHeaders(300, used, at),
  body: platformError(status, message),
});
