import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import { maskKey, programKeyOf, sha256 } from '#lib/service/ground/addresses/credential.ts';
import { originsOfDomain } from '#lib/service/ground/addresses/origin.ts';
import {
  checkLeadCommissions,
  DEFAULT_WINDOW_DAYS,
  ownTerms,
  type Program,
  slugOf,
  withTermsText,
} from '#lib/service/programs/program/program.ts';
import { coversPublicSuffix } from '#lib/service/ground/addresses/public-suffix.ts';
import { noWorkspace } from '#lib/service/ground/values/refusals.ts';
import { DEFAULT_HOLD_DAYS } from '#lib/service/programs/terms/terms.ts';
import { withProgram } from '#lib/service/people/workspaces/workspace.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { partnerTermsWrite } from '#lib/service/programs/joining/partner-terms-items.ts';
import { newProgramWrites } from '#lib/service/programs/program/programs-items.ts';
import { nextNumber } from '#lib/service/ground/counters/sequence-items.ts';
import { changedWorkspaceWrite, findWorkspace } from '#lib/service/people/workspaces/workspaces-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { termsVersionWrites } from '#lib/service/programs/changed-terms/terms-change-writes.ts';
import { payoutDueWrites } from '#lib/service/programs/program/payout-due-writes.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

type Required = 'name' | 'domain' | 'commissionType' | 'commissionRate';
/** The fields of a program that only the service sets. All other fields are settings. */
type ServiceManaged =
  | 'id'
  | 'workspaceId'
  | 'slug'
  | 'termsVersion'
  | 'lastTermsVersion'
  | 'partnerTermsVersion'
  | 'lastPartnerTermsVersion'
  | 'partnerCount'
  | 'candidateCount'
  | 'queuedCount'
  | 'removedPartnerIds'
  | 'listsAddresses'
  | 'listsWords'
  | 'emailSalt'
  | 'keyHash'
  | 'keyMasked'
  | 'keyRotatedAt'
  | 'processor'
  | 'revision'
  | 'createdAt'
  | 'updatedAt';

/** The values that the creator chooses; all others have the defaults below. */
export type NewProgram = Pick<Program, Required> &
  Partial<Omit<Program, Required | ServiceManaged>> & {
    /** The text that partners must accept; empty = there is no text. */
    readonly partnerTerms?: string;
  };

/**
 * Creates a program. Its first key is random and never shown: the owner must generate the first usable one.
 * @throws Refusal when the workspace has too many programs
 */
export async function createProgram(
  deps: Deps,
  workspaceId: number,
  { partnerTerms = '', ...wanted }: NewProgram,
): Promise<Program> {
  const id = await nextNumber(deps.table, 'program');
  const key = programKeyOf(id, deps.random.programKeySecret());
  const createdAt = deps.now.toISOString();
  const base: Program = {
    status: 'active',
    currency: deps.config.currencies[0],
    attributionWindowDays: DEFAULT_WINDOW_DAYS,
    leadAuth: 'server_required',
    // Allowing all subdomains of a public suffix, such as `com`, would allow other people's sites.
    allowedOrigins: originsOfDomain(wanted.domain).filter((pattern) => !coversPublicSuffix(pattern)),
    holdPeriodDays: DEFAULT_HOLD_DAYS,
    autoApprove: true,
    ...wanted,
    id,
    workspaceId,
    slug: slugOf(wanted.name, id),
    partnerCount: 0,
    removedPartnerIds: [],
    listsAddresses: true,
    listsWords: true,
    emailSalt: deps.random.salt(),
    keyHash: sha256(key),
    keyMasked: maskKey(key),
    factsSince: null,
    createdAt,
    updatedAt: createdAt,
  };
  checkLeadCommissions(base, [base]);
  const program = withTermsText(base, partnerTerms);
  const { partnerTermsVersion: version } = program;
  return retryOnConflict(deps, async () => {
    const { table } = deps;
    const workspace = await findWorkspace(table, workspaceId);
    if (!workspace) throw noWorkspace();
    await table.transact([
      ...newProgramWrites(program),
      ...termsVersionWrites(deps, id, { begun: ownTerms(program) }),
      ...(version === undefined ? [] : [partnerTermsWrite(id, { version, text: partnerTerms })]),
      ...payoutDueWrites(program, dayOf(deps.now)),
      changedWorkspaceWrite(workspace, withProgram(workspace)),
      ...auditWrites(deps, workspaceId, {
        action: 'program.created',
        target: { type: 'program', id, name: program.name, programId: id },
        changes: changesBetween({}, wanted),
      }),
    ]);
    return program;
  });
}
