import type { Account } from '#lib/service/ground/addresses/account.ts';
import type { Changes } from '#lib/service/ground/changes/audit.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { open, seal } from '#lib/service/ground/effects/vault.ts';
import { maskedNumber } from '#lib/service/ground/parties/bank-account.ts';
import { isSameParty, type Party } from '#lib/service/ground/parties/party.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { openAccountCheck } from '#lib/service/people/accounts/accounts-items.ts';
import { checkAccountIsOpen } from '#lib/service/people/accounts/check-account-is-open.ts';
import { partnersOfAccount } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { sharingPartnerCheck } from '#lib/service/programs/partners/partner-status-items.ts';
import {
  billingWrite,
  findSealedBilling,
  type SealedBilling,
} from '#lib/service/programs/payout-details/billing-items.ts';
import { sharedWith, type SharedWith } from '#lib/service/programs/payout-details/changed-details-writes.ts';

/** How statements name a person who is paid. `updatedAt` is ISO 8601. */
export interface Billing {
  readonly party: Party;
  readonly updatedAt: string;
}

/** The billing details of an account, if it has any. */
export async function billingOf(deps: Deps, accountId: number): Promise<Billing | undefined> {
  const stored = await findSealedBilling(deps.table, accountId);
  return stored && opened(deps, accountId, stored);
}

const opened = async (deps: Deps, accountId: number, { sealed, updatedAt }: SealedBilling): Promise<Billing> => ({
  party: JSON.parse(await open(deps, sealed, { accountId })) as Party,
  updatedAt,
});

/**
 * Replaces all billing details of an account. The audit log of each workspace with which the person shares payout
 * details records which fields changed. Setting the same details again changes nothing.
 */
export function setBilling(deps: Deps, { id: accountId }: Pick<Account, 'id'>, party: Party): Promise<Billing> {
  const { table, now } = deps;
  const fact = deps.random.auditId();
  return retryOnConflict(deps, async () => {
    await checkAccountIsOpen(deps, accountId);
    const [stored, sealed] = await Promise.all([
      findSealedBilling(table, accountId),
      seal(deps, JSON.stringify(party), { accountId }),
    ]);
    const before = stored && (await opened(deps, accountId, stored));
    if (before && isSameParty(before.party, party)) return before;
    const updatedAt = now.toISOString();
    const workspaces = await sharedWith(deps, accountId, await partnersOfAccount(table, accountId));
    await table.transactLong(
      [
        billingWrite(accountId, stored, { sealed, updatedAt }),
        openAccountCheck(accountId),
        ...rowsIn(deps, workspaces, fact, changedFields(before?.party ?? {}, party)),
      ],
      [],
    );
    return { party, updatedAt };
  });
}

/** Fails if the end of the person's sharing was written first. This request then reloads and decides again. */
const rowsIn = (deps: Deps, workspaces: SharedWith, id: string, changes: Changes): Write[] =>
  [...workspaces].flatMap(([workspaceId, partner]) => [
    sharingPartnerCheck(partner),
    ...auditWrites(deps, workspaceId, {
      id,
      action: 'billing.changed',
      target: { type: 'partner', id: partner.id },
      changes,
    }),
  ]);

/** Shown in the audit log instead of a name or an address, because the log remains after the account is closed. */
const HIDDEN = '****';
const shown: Readonly<Record<keyof Party, (value: string) => string>> = {
  name: () => HIDDEN,
  address: () => HIDDEN,
  country: (country) => country,
  taxId: maskedNumber,
};

const changedFields = (before: Party, after: Party): Changes =>
  Object.fromEntries(
    (Object.keys(shown) as (keyof Party)[])
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, { from: maskOf(field, before[field]), to: maskOf(field, after[field]) }]),
  );

const maskOf = (field: keyof Party, value: string | undefined): string | null =>
  value === undefined ? null : shown[field](value);
