import { ana, SECOND_LINK } from '#infra/local/demo/demo-partners.ts';
import { localIdentity } from '#infra/local/identity/local-identity.ts';
import { actorOf } from '#lib/service/ground/changes/audit.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { signInOwn } from '#lib/service/people/accounts/sign-in.ts';
import { createWorkspace } from '#lib/service/people/workspaces/create-workspace.ts';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { findPartnerByEmail } from '#lib/service/programs/partners/known-partners-items.ts';
import { createProgram } from '#lib/service/programs/program/create-program.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { findProgram, programIdsOf } from '#lib/service/programs/program/programs-items.ts';

export const SECOND_DOMAIN = 'northwind.test';

const terms = {
  name: 'Northwind Notes',
  domain: SECOND_DOMAIN,
  commissionType: 'recurring_percent',
  commissionRate: 30,
  durationMonths: 6,
  leadAuth: 'server_required',
} as const;

/**
 * Creates a second brand with another owner. Its only partner is Ana, who is also a partner of the first brand, so she
 * sees two programs. Calling it again changes nothing.
 * @param depsOf creates effects for one action
 */
export async function ensureSecondBrand(depsOf: () => Deps): Promise<Program> {
  const { config } = depsOf();
  const owner = await signInOwn(depsOf(), localIdentity(config.openId.issuer ?? '', 'owner@northwind.test'));
  const depsOfOwner = () => ({ ...depsOf(), actor: actorOf(owner) });
  const workspaceId = owner.workspaceId ?? (await createWorkspace(depsOfOwner(), owner, 'Northwind')).id;
  const [id] = await programIdsOf(depsOf().table, workspaceId);
  const program =
    (id && (await findProgram(depsOf().table, id))) || (await createProgram(depsOfOwner(), workspaceId, terms));
  if (!(await findPartnerByEmail(depsOf().table, workspaceId, ana.email)))
    await addPartner(depsOfOwner(), program.id, { name: ana.name, email: ana.email, wishedLink: SECOND_LINK });
  return program;
}
