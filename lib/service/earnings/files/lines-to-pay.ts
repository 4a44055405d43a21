import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { open } from '#lib/service/ground/effects/vault.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { Party } from '#lib/service/ground/parties/party.ts';
import type { PayableLine } from '#lib/service/earnings/files/bank-file.ts';
import { isSentTo, type PaidTo, type PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import { allLinesOf } from '#lib/service/earnings/lines/read-lines.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { billingOf } from '#lib/service/programs/payout-details/billing.ts';
import {
  heldUntilOf,
  isHeld,
  type PayoutDetails,
  payoutDetailsText,
  type SealedPayoutDetails,
} from '#lib/service/programs/payout-details/payout-details.ts';
import { detailsOfPayout, isShared } from '#lib/service/programs/payout-details/shared-details.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/** A payout line with its partner. If the partner shares payout details, it contains them unmasked. */
export interface LineToPay extends PayableLine {
  readonly partner?: Partner;
  readonly method?: string;
  /** What the file shows as payout details: the unmasked or the masked ones, or the reason why they are missing. */
  readonly shown?: string;
  /** The encrypted details. Undefined unless `details` are unmasked. */
  readonly sealed?: string;
  /** The partner's name and address on statements. */
  readonly billing?: Party;
}

/** A payout line and the destination of its money. Nothing of it is decrypted. */
export interface KnownLine {
  readonly line: PayoutLine;
  readonly partner?: Partner;
  /** The payout details to which the line was or will be paid, as they are stored now. */
  readonly stored?: SealedPayoutDetails;
  /**
   * Where the money goes: the current destination while the line is `recorded`, and the destination at the time of
   * sending from `sent` on.
   */
  readonly destination?: Pick<PaidTo, 'method' | 'masked'>;
}

/** Each decryption is one call to the key service, so concurrency is limited. */
const OPENED_AT_ONCE = 50;

export async function inBatches<From, To>(
  all: readonly From[],
  work: (one: From) => Promise<To>,
): Promise<readonly To[]> {
  const done: To[] = [];
  for (let at = 0; at < all.length; at += OPENED_AT_ONCE) {
    done.push(...(await Promise.all(all.slice(at, at + OPENED_AT_ONCE).map(work))));
  }
  return done;
}

/** All lines of a payout, or those in a currency, by partner and currency. */
export async function knownLines(
  deps: Deps,
  program: Program,
  payout: Payout,
  currency?: Currency,
): Promise<readonly KnownLine[]> {
  const lines = (await allLinesOf(deps, payout)).filter((line) => currency === undefined || line.currency === currency);
  return inBatches(lines, async (line) => {
    const partner = await findPartner(deps.table, program.id, line.partnerId);
    const stored = partner && (await detailsOfPayout(deps, program, partner, line.createdAt));
    return { line, partner, stored, destination: (line.paidTo === undefined ? stored : line.paidTo) ?? undefined };
  });
}

/**
 * Lines with the unmasked payout details of each partner who shares them.
 * @param withBilling whether the billing details of all partners are read; by default only those that a bank file needs
 */
export const openedLines = (
  deps: Deps,
  program: Program,
  lines: readonly KnownLine[],
  withBilling = false,
): Promise<readonly LineToPay[]> =>
  inBatches(lines, async ({ line, partner, stored }) => {
    const payment = partner ? await paymentOf(deps, line, partner, stored) : {};
    const { details } = payment;
    const isNamed = withBilling || (details?.method === 'wise' && 'email' in details);
    const billing = partner && isNamed ? await sharedBilling(deps, program, partner) : undefined;
    return { line, partner, ...payment, billing, holder: holderOf(details, billing, partner) };
  });

const holderOf = (details: PayoutDetails | undefined, billing: Party | undefined, partner: Partner | undefined) =>
  details && 'account_holder' in details ? details.account_holder : (billing?.name ?? partner?.name ?? '');

async function sharedBilling(deps: Deps, program: Program, partner: Partner): Promise<Party | undefined> {
  if (partner.accountId === undefined || !(await isShared(deps, program, partner))) return undefined;
  return (await billingOf(deps, partner.accountId))?.party;
}

type Payment = Pick<LineToPay, 'method' | 'shown' | 'sealed' | 'details' | 'isHeld'>;

/**
 * Returns the payout details of a line. They are hidden while payouts to them are on hold after a change of the details
 * or of the account's e-mail address, because an attacker may have made the change.
 */
async function paymentOf(
  deps: Deps,
  line: PayoutLine,
  partner: Partner,
  stored: SealedPayoutDetails | undefined,
): Promise<Payment> {
  // After a line was sent, it shows the details to which it was sent: unmasked if they are still the current ones,
  // otherwise masked.
  if (line.paidTo !== undefined && !(stored && isSentTo(line, stored))) {
    return { method: line.paidTo?.method, shown: line.paidTo?.masked };
  }
  return stored ? opened(deps, partner, stored) : {};
}

async function opened(
  deps: Deps,
  { accountId, addressHeldUntil }: Partner,
  stored: SealedPayoutDetails,
): Promise<Payment> {
  if (accountId === undefined) return {};
  const { sealed, updatedAt } = stored;
  const heldUntil = heldUntilOf({ heldUntil: stored.heldUntil, addressHeldUntil });
  if (isHeld({ heldUntil }, deps.now)) {
    const changed = isHeld(stored, deps.now) ? `Changed at ${updatedAt}` : 'The address of the partner was changed';
    return { isHeld: true, method: 'held', shown: `${changed}, to be seen from ${heldUntil}` };
  }
  const details = JSON.parse(await open(deps, sealed, { accountId })) as PayoutDetails;
  return { method: details.method, shown: payoutDetailsText(details), sealed, details };
}
