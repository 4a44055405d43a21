import * as z from 'zod/mini';
import { PAYOUTS_FROZEN_INVALID } from '#lib/domain/refusals.ts';
import { memberRoles } from '#lib/domain/workspace.ts';
import { chosenFrom, emailField, nameField } from '#lib/wire/requests/fields.ts';

export const NewWorkspace = z.object({ name: nameField });
export const WorkspaceChange = z.object({ payouts_frozen: z.boolean(PAYOUTS_FROZEN_INVALID) });
export const NewMember = z.object({ email: emailField, role: chosenFrom('role', memberRoles) });
