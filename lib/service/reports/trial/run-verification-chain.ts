import { siteOf } from '#lib/service/ground/addresses/origin.ts';
import { hourWindowAt, MOST_CHAINS_AN_HOUR } from '#lib/service/ground/values/rate-limits.ts';
import { chainNotRun, type ChainVerdict, type Step, type Verdict } from '#lib/service/reports/figures/readiness.ts';
import { testLinkOf } from '#lib/service/programs/links/referral-link.ts';
import { Refusal, tooManyChains } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCustomerByKey } from '#lib/service/traffic/customers/customer-keys-items.ts';
import {
  type TestPartner,
  findTestPartner,
  createTestPartner,
  storeLatestChain,
} from '#lib/service/reports/figures/integration-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { countRequest } from '#lib/service/ground/counters/rate-windows-items.ts';
import { nextNumber } from '#lib/service/ground/counters/sequence-items.ts';
import { recordClick } from '#lib/service/traffic/clicks/record-click.ts';
import { recordLead } from '#lib/service/conversions/leads/record-lead.ts';
import { recordSale } from '#lib/service/conversions/sales/record-sale.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

export interface ChainResult {
  readonly shortLink: string;
  readonly customerKey: string;
  readonly verdict: ChainVerdict;
}

const AMOUNT_CENTS = 100;

/**
 * Sends a synthetic click, lead and sale through the same actions as real ones and reports how far they were
 * attributed. What it stores is marked as a test, and it creates no commission, fee or count.
 * @throws Refusal after ten runs of the program in a clock hour; the test partner is created even then
 */
export async function runVerificationChain(deps: Deps, programId: number): Promise<ChainResult> {
  deps.logContext.programId = programId;
  const { table, now } = deps;
  const program = await findProgram(table, programId);
  if (!program) throw new Error(`Program ${programId} does not exist, though its caller does`);
  const shortLink = testLinkOf(programId);
  const testPartner = await retryOnConflict(deps, () => preparedTestPartner(deps, programId, shortLink));

  const hour = hourWindowAt(now);
  const runs = await countRequest(table, 'chain', String(programId), hour);
  if (runs > MOST_CHAINS_AN_HOUR) throw tooManyChains(hour.retryAfterSeconds);

  const customerKey = `aff_test_ck_${programId}_${now.getTime()}_${deps.random.suffix()}`;
  const verdict = await walk(deps, programId, testPartner, `${siteOf(program.domain)}/?aff=${shortLink}`, customerKey);
  await storeLatestChain(table, programId, { at: now.toISOString(), verdict });
  return { shortLink, customerKey, verdict };
}

async function preparedTestPartner({ table, now }: Deps, programId: number, shortLink: string): Promise<TestPartner> {
  const existing = await findTestPartner(table, programId);
  if (existing) return existing;
  const testPartner = { partnerId: await nextNumber(table, 'partner') };
  await createTestPartner(table, programId, shortLink, testPartner, now.toISOString());
  return testPartner;
}

/** Makes the steps in order, each with the customer of the previous one, until a step credits no partner. */
async function walk(
  deps: Deps,
  programId: number,
  { partnerId }: TestPartner,
  affiliateUrl: string,
  customerKey: string,
): Promise<ChainVerdict> {
  const isTest = true;
  const credited = async (): Promise<number | undefined> =>
    (await findCustomerByKey(deps.table, programId, customerKey, isTest))?.partnerId;
  let clickId = '';
  const walked: Readonly<Record<Step, () => Promise<number | undefined>>> = {
    click: async () => {
      const click = await recordClick(deps, { affiliateUrl, visit: { affiliateUrl }, isTest });
      clickId = click.clickId;
      return click.partnerId;
    },
    lead: async () => {
      await recordLead(deps, { clickId, customerKey, isTest }, programId);
      deps.table.forget();
      return credited();
    },
    sale: async () => {
      const facts = {
        transactionId: `test_chain_${customerKey}`,
        amountCents: AMOUNT_CENTS,
        currency: 'USD',
        saleType: 'payment',
        isRecurring: false,
      } as const;
      const sale = await recordSale(deps, { facts, customerKey, isTest }, programId);
      return sale.attributed ? credited() : undefined;
    },
  };
  const verdict: Record<Step, Verdict> = { ...chainNotRun };
  for (const step of ['click', 'lead', 'sale'] as const) {
    verdict[step] = verdictOf(await walked[step]().catch(unattributed), partnerId);
    if (verdict[step] !== 'attributed') break;
  }
  return verdict;
}

const verdictOf = (credited: number | undefined, partnerId: number): Verdict => {
  if (credited === undefined) return 'unattributed';
  return credited === partnerId ? 'attributed' : 'wrong_partner';
};

/**
 * Returns undefined for an error that is a result of the test: a refused step, or terms from which no commission can be
 * computed. Any other error is thrown.
 */
function unattributed(error: unknown): undefined {
  if (error instanceof Refusal || error instanceof RangeError) return undefined;
  throw error;
}
