import { foldedAddress } from '#lib/service/ground/addresses/email.ts';
import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import type { Member } from '#lib/service/people/workspaces/workspace.ts';
import { missingFields } from '#lib/service/ground/values/refusals.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';

/** The workspace of the invitation; undefined for an invalid id. @throws Refusal */
export function invitingWorkspace({ workspace_id: id }: Json): number | undefined {
  if (id === undefined) throw missingFields(['workspace_id']);
  return numericIdOf(id);
}

/** The `{account_id}` in a path: an id, or the address of a pending member. */
export function memberOfPath(segment = ''): Member {
  const accountId = numericIdOf(segment);
  return accountId === undefined ? { email: foldedAddress(segment.trim()) } : { accountId };
}
