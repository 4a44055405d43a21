import * as z from 'zod/mini';
import { memberRoles } from '#lib/domain/workspace.ts';
import { chosenFrom, emailField, nameField } from '#lib/wire/requests/fields.ts';

export const NewWorkspace = z.object({ name: nameField });
export const NewMember = z.object({ email: emailField, role: chosenFrom('role', memberRoles) });
