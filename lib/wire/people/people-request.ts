import * as z from 'zod/mini';
import { PAYOUTS_FROZEN_INVALID } from '#lib/service/ground/values/refusals.ts';
import { memberRoles } from '#lib/service/people/workspaces/workspace.ts';
import { chosenFrom, emailField, nameField } from '#lib/wire/words/fields-request.ts';

export const NewWorkspace = z.object({ name: nameField });
export const WorkspaceChange = z.object({ payouts_frozen: z.boolean(PAYOUTS_FROZEN_INVALID) });
export const NewMember = z.object({ email: emailField, role: chosenFrom('role', memberRoles) });
