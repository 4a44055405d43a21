import { countedHeaders } from '#test/support/callers/headers.ts';
import type { TestReply } from '#test/support/callers/request.ts';
import { platformError } from '#test/support/servers/errors.ts';

// Complete replies of the dashboard and the portal, with which tests compare the actual ones.

/** A reply with this data. @param used number of requests in the minute, including this one */
export const dataReply = (data: unknown, used = 1, at?: Date): TestReply => ({
  status: 200,
  headers: countedHeaders(300, used, at),
  body: { data },
});

/** A list's last page. @param used number of requests in the minute, including this one */
export const pageReply = (data: readonly unknown[], used = 1, at?: Date): TestReply => ({
  status: 200,
  headers: countedHeaders(300, used, at),
  body: { data, meta: { next_cursor: null } },
});

/** A page of facts. @param since facts from this time on are stored @param used number of requests in the minute */
export const factsReply = (data: readonly unknown[], since: string, used = 1): TestReply => ({
  ...pageReply(data, used),
  body: { data, meta: { next_cursor: null, since } },
});

/** A refusal. @param used number of requests in the minute, including this one */
export const refusedReply = (status: number, message: string, used = 1, at?: Date): TestReply => ({
  status,
  headers: countedHeaders(300, used, at),
  body: platformError(status, message),
});
