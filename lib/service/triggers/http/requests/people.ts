import * as z from 'zod/mini';
import { numericIdOf } from '#lib/domain/identifier.ts';
import { type Member, type MemberRole, memberRoles } from '#lib/domain/workspace.ts';
import { missingFields } from '#lib/domain/refusals.ts';
import { chosenFrom, parseBody } from '#lib/service/triggers/http/body.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';
import { emailField, nameField } from '#lib/service/triggers/http/requests/fields.ts';

const WorkspaceFields = z.object({ name: nameField });
const MemberFields = z.object({ email: emailField, role: chosenFrom('role', memberRoles) });

/** The name of a new workspace. @throws Refusal */
export function workspaceBody(json: Json): string {
  if (json.name === undefined) throw missingFields(['name']);
  return parseBody(WorkspaceFields, json).name;
}

/** @throws Refusal */
export function memberBody(json: Json): { email: string; role: MemberRole } {
  if (json.email === undefined || json.role === undefined) throw missingFields(['email', 'role']);
  return parseBody(MemberFields, json);
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
