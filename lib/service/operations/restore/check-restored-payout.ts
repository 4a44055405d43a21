import { canonical } from '#lib/service/ground/changes/audit.ts';
import {
  groupOf,
  joinedClaims,
  itemOfClaims,
  type Payout,
  type PayoutClaims,
  type PayoutItem,
  sumsOf,
  sumsOfItems,
} from '#lib/service/earnings/payouts/payout.ts';
import { paymentsOf } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { findCommissionById } from '#lib/service/earnings/commissions/commissions-items.ts';
import { claimsIn, lineClaimWrite, type StepClaim } from '#lib/service/earnings/payouts/payout-claims-items.ts';
import { lineOfClaim, lineWrite, storedLines } from '#lib/service/earnings/lines/payout-lines-items.ts';
import { lineIdOf, type PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import {
  changedPayoutWrite,
  findPayout,
  newPayoutWrite,
  openPayoutRemoval,
} from '#lib/service/earnings/payouts/payouts-items.ts';
import { isMailingQueued } from '#lib/service/people/mail/mails-items.ts';
import { checkRestoredLines } from '#lib/service/operations/restore/check-restored-lines.ts';
import { checkRestoredPayments } from '#lib/service/operations/restore/check-restored-payments.ts';
import type { FoundPayout } from '#lib/service/operations/restore/restored-payouts.ts';
import { repair, type RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';

/**
 * Repairs one payout, whose items may be lost in part. A step of the payout had written several items together, so each
 * item that remains shows that others existed. A claim contains the commissions that one step has put into one line.
 *
 * | If there is | there was | if that is missing |
 * |---|---|---|
 * | a claim, also as a part of a line | a payment in each of its commissions | the payment is recorded again if the claim's amount tells how much it was |
 * | a payment in a commission | a claim that contains the commission | the claim is stored again, as the commissions show it; a line's first claim is stored as the line |
 * | a claim | its step and its amount, in its line and in the payout | they are stored again, as the claims show them |
 * | an amount in a line or in the payout | claims with this sum | it is reported: nothing shows which commissions were paid |
 * | an open payout | the item that marks it as open | the payout becomes complete; the next payout pays the rest |
 * | the mail about the payout | the payout's last step | the payout becomes complete |
 * | the item that marks a payout as open | the open payout | that item is removed |
 * | a commission whose payment was cancelled | a line that failed or is void | the line's status is set, with the reason that the commission contains |
 * | a line that failed or is void | cancelled payments in its commissions | the payments are cancelled |
 * | the lines | their counts by status | the counts are stored again |
 *
 * If only claims or payments are left of a payout, it becomes complete too, because the partner and the days that its
 * request named are lost. The status of a lost line is lost as well: the line becomes `recorded`, or `failed` if its
 * payments were cancelled.
 *
 * @param openId the id of the payout that is marked as the program's open one
 */
export async function checkRestoredPayout(
  restored: RestoredProgram,
  found: FoundPayout,
  openId: number | undefined,
): Promise<void> {
  const { table } = restored.deps;
  const claims = await claimsIn(table, found.id);
  const unpaid = await checkRestoredPayments(restored, found, claims);
  const header = await findPayout(table, found.id);
  const lines = await storedLines(table, found.id);
  const lost = await lostClaims(restored, found, claims, header);
  const isMailed = await isMailingQueued(table, { kind: 'payout_made', fact: String(found.id) });
  const status = header?.status === 'open' && openId === found.id && !isMailed ? 'open' : 'made';
  const items = joinedClaims([...claims, ...lost]).map(itemOfClaims);
  const steps = Math.max(header?.steps ?? 0, ...[...claims, ...lost].map(({ step }) => step));
  // If neither the payout's item nor a line is left, but only claims, the payout is treated as one of version 1.
  const isFirstForm = header ? header.items !== undefined : lines.length === 0 && claims.length > 0;
  const whole = wholePayout(restored, found, items, header, { status, steps, isFirstForm });
  const short = unaccounted(found, items, header?.items ?? lines).filter(({ group }) => !unpaid.has(group));
  const isClaimed = short.length === 0 && unpaid.size === 0;
  const shortSums = isClaimed ? unaccountedSums(whole, header) : [];
  restored.unrepaired.push(...short.map(({ line }) => line), ...shortSums);
  // If some commissions of a claim are missing, the incomplete claim is not stored: a person who later restores the
  // complete one would have to replace it.
  const remade = lost.filter((claim) => !short.some(({ group }) => group === groupOf(claim)));
  await claimAgain(restored, found, { lines, remade, items, isFirstForm });
  if (short.length > 0 || shortSums.length > 0) return;
  await checkPayout(restored, whole, header, openId);
  if (unpaid.size === 0) await checkRestoredLines(restored, whole, found);
}

/** Claims for payments that are in the histories of commissions, but in no stored claim. */
async function lostClaims(
  { deps }: RestoredProgram,
  { id, createdAt, differences }: FoundPayout,
  claims: readonly StepClaim[],
  header: Payout | undefined,
): Promise<StepClaim[]> {
  const payments: PayoutClaims[] = [];
  for (const [commissionId, difference] of differences) {
    if (difference > 0) continue;
    const commission = (await findCommissionById(deps.table, commissionId))!;
    const { partnerId, currency } = commission;
    const inPayout = paymentsOf(commission).filter(({ payoutId }) => payoutId === id);
    for (const { amountCents } of inPayout.slice(difference)) {
      payments.push({ partnerId, currency, amountCents, commissionIds: [commissionId] });
    }
  }
  return joinedClaims(payments).map((claim) => ({ ...claim, step: stepWithout(claim, claims, header), createdAt }));
}

interface ToPut {
  readonly lines: readonly PayoutLine[];
  /** Claims that are stored again, at most one for each partner and currency. */
  readonly remade: readonly StepClaim[];
  /** The lines, with their amounts and numbers of commissions. */
  readonly items: readonly PayoutItem[];
  /** Whether the payout is of version 1, whose lines are items of the payout until they change. */
  readonly isFirstForm: boolean;
}

/**
 * Stores lost claims again. If the line of a claim is lost too, the line is stored with this claim and the sums of all
 * its claims.
 */
async function claimAgain(
  restored: RestoredProgram,
  { id, createdAt }: FoundPayout,
  { lines, remade, items, isFirstForm }: ToPut,
): Promise<void> {
  const payout = { id, programId: restored.program.id, createdAt };
  const stored = new Map(lines.map((line) => [groupOf(line), line]));
  for (const { amountCents, commissions, ...group } of items) {
    const line = stored.get(groupOf(group));
    const claim = remade.find((one) => groupOf(one) === groupOf(group));
    if (claim) {
      const write =
        line || isFirstForm
          ? lineClaimWrite({ ...payout, payoutId: id }, claim.step, claim)
          : lineWrite({ ...lineOfClaim(payout, claim.step, claim), amountCents, commissions });
      await repair(restored, `payout ${id}: its claim of ${namesOf(claim)}`, [write]);
    }
    if (line?.firstClaim && (line.commissions < commissions || (claim && line.amountCents !== amountCents))) {
      await repair(restored, `payout ${id}: the sums of line ${lineIdOf(line)}`, [
        lineWrite({ ...line, amountCents, commissions }),
      ]);
    }
  }
}

const namesOf = ({ commissionIds }: Pick<PayoutClaims, 'commissionIds'>): string =>
  `commission${commissionIds.length === 1 ? '' : 's'} ${commissionIds.join(', ')}`;

/**
 * The step to which a lost claim probably belonged: the first step of which no claim is left. If there is none, the
 * first step without a claim for this partner and currency. If there is none either, a new step.
 */
function stepWithout(claim: PayoutClaims, claims: readonly StepClaim[], header: Payout | undefined): number {
  const last = Math.max(header?.steps ?? 1, ...claims.map(({ step }) => step));
  const steps = Array.from({ length: last }, (_, at) => at + 1);
  const lacks = (some: readonly StepClaim[]) => steps.find((step) => !some.some((one) => one.step === step));
  return lacks(claims) ?? lacks(claims.filter((one) => groupOf(one) === groupOf(claim))) ?? last + 1;
}

/** The payout that results from its claims. */
function wholePayout(
  { program }: RestoredProgram,
  { id, createdAt }: FoundPayout,
  items: readonly PayoutItem[],
  header: Payout | undefined,
  { status, steps, isFirstForm }: Pick<Payout, 'status' | 'steps'> & { readonly isFirstForm: boolean },
): Payout {
  const known: Payout = header ?? { id, programId: program.id, createdAt, createdBy: 'operator', status, steps };
  if (isFirstForm) return { ...known, status, steps, items };
  const { partnerId, currency } = items.at(-1) ?? {};
  const last = partnerId === undefined ? undefined : { partnerId, currency: currency! };
  const planned = status === 'open' ? known.planned : undefined;
  return { ...known, status, steps, sums: sumsOfItems(items), last, planned };
}

/**
 * Partners and currencies (`groupOf`) for which the claims contain less than the line or payout, or do not agree with
 * the commissions. Each has an explanation.
 */
function unaccounted({ id, paidCents }: FoundPayout, items: readonly PayoutItem[], recorded: readonly PayoutItem[]) {
  const claimed = new Map(items.map((item) => [groupOf(item), item]));
  const paid = new Map([...items, ...recorded].map((item) => [groupOf(item), item]));
  return [...paid].flatMap(([group, item]) => {
    const { partnerId, currency } = item;
    const { commissions, amountCents } = claimed.get(group) ?? { commissions: 0, amountCents: 0 };
    const shownCents = paidCents.get(group) ?? 0;
    // If the claims contain no more commissions than the line or payout, the amounts must be equal.
    const isWhole = commissions > item.commissions || amountCents === item.amountCents;
    if (commissions >= item.commissions && isWhole && shownCents === amountCents) return [];
    const line =
      `payout ${id}: it paid ${item.amountCents} cents to partner ${partnerId} in ${currency} for ${item.commissions} commissions; ` +
      `its claims say ${amountCents} for ${commissions}, its commissions ${shownCents}`;
    return [{ group, line }];
  });
}

/** Currencies in which the payout's own sums are higher than those of its lines, each with an explanation. */
function unaccountedSums({ id, ...whole }: Payout, header: Payout | undefined): string[] {
  const found = sumsOf(whole);
  return Object.entries(header?.sums ?? {}).flatMap(([currency, { lines, commissions, amountCents }]) => {
    const of = found[currency] ?? { lines: 0, commissions: 0, amountCents: 0 };
    const isWhole = of.commissions > commissions || of.amountCents === amountCents;
    if (of.lines >= lines && of.commissions >= commissions && isWhole) return [];
    return [
      `payout ${id}: it paid ${amountCents} cents in ${currency} in ${lines} lines for ${commissions} commissions; ` +
        `its lines say ${of.amountCents} in ${of.lines} for ${of.commissions}`,
    ];
  });
}

async function checkPayout(
  restored: RestoredProgram,
  whole: Payout,
  header: Payout | undefined,
  openId: number | undefined,
): Promise<void> {
  const isMarked = openId === whole.id;
  const unmark = isMarked && whole.status === 'made' ? [openPayoutRemoval(whole)] : [];
  const write = header ? changedPayoutWrite(header, whole) : newPayoutWrite(whole);
  const isSame = header !== undefined && canonical({ ...header, ...whole }) === canonical(header);
  if (isSame && unmark.length === 0) return;
  const what = isSame ? 'the mark that it is open' : 'its state and amounts';
  await repair(restored, `payout ${whole.id}: ${what}`, [...(isSame ? [] : [write]), ...unmark]);
}
