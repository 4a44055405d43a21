import { numericIdOf } from '#lib/domain/identifier.ts';
import type { Member, MemberRole } from '#lib/domain/workspace.ts';
import { missingFields } from '#lib/domain/refusals.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';
import { NewMember, NewWorkspace } from '#lib/wire/requests/people.ts';

/** The name of a new workspace. @throws Refusal */
export function workspaceBody(json: Json): string {
  if (json.name === undefined) throw missingFields(['name']);
  return parseBody(NewWorkspace, json).name;
}

/** @throws Refusal */
export function memberBody(json: Json): { email: string; role: MemberRole } {
  if (json.email === undefined || json.role === undefined) throw missingFields(['email', 'role']);
  return parseBody(NewMember, json);
}

/** The workspace whose invitation is meant; what can be no id names none. @throws Refusal */
export function invitingWorkspace({ workspace_id: id }: Json): number | undefined {
  if (id === undefined) throw missingFields(['workspace_id']);
  return numericIdOf(id);
}

/** The `{account_id}` of a path: an id, or the address of a pending member. */
export function memberOfPath(segment = ''): Member {
  const accountId = numericIdOf(segment);
  return accountId === undefined ? { email: segment.trim().toLowerCase() } : { accountId };
}
