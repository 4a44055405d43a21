import { setTimeout as pause } from 'node:timers/promises';
import {
  NetworkError,
  RateLimitError,
  ReferralClient,
  ServerError,
  ValidationError,
} from '#lib/apps/client/referral-client.ts';
import { newBrand } from '#test/live/brand.ts';
import { hold } from '#test/live/hold.ts';
import { inParallel } from '#test/live/in-parallel.ts';
import type { Service } from '#test/live/service.ts';
import type { Chance } from '#infra/local/demo/chance.ts';
import { type Journey, newJourney, type SentSale } from '#test/soak/support/journey.ts';

const SALES_OF_A_CLIENT = 6;
/** Clients of a brand share its rate limit of 120 sales and refunds, which counts repeated requests as well. */
const CLIENTS_OF_A_BRAND = 2;
/** Maximum number of calls by a client for one event, each with up to two retries. */
const MOST_CALLS = 8;
/** Wait between calls, multiplied by the number of calls so far, so that all of them together outlast every outage. */
const BETWEEN_CALLS_MS = 100;

/** What clients sent, and the failures they met. */
export interface Business {
  readonly journeys: readonly Journey[];
  /** Replies of 429 and above, and calls without a reply, by status. */
  readonly failures: ReadonlyMap<number | string, number>;
  readonly callsMadeAgain: number;
  readonly commissionsMissed: number;
}

/**
 * Clients click, sign up, sell and refund. Each follows the documented retry rules, so it must end with exactly its
 * sales.
 * @param begin called when the brands exist and before the first client starts
 */
export async function doBusiness(
  service: Service,
  clients: number,
  chance: Chance,
  begin: () => void = () => {},
): Promise<Business> {
  const brands = await inParallel(clients / CLIENTS_OF_A_BRAND, 4, (n) => newBrand(service.call, `soak-${n}`));
  const journeys = Array.from({ length: clients }, (_, n) => newJourney(brands[n % brands.length]!, `client-${n}`));
  const calls = { again: 0, commissionsMissed: 0 };
  const failures = new Map<number | string, number>();
  begin();
  await inParallel(clients, clients, (n) => live(journeys[n]!));
  return { journeys, failures, callsMadeAgain: calls.again, commissionsMissed: calls.commissionsMissed };

  async function live(journey: Journey): Promise<void> {
    const { brand, customerKey } = journey;
    const client = new ReferralClient({ apiKey: brand.key, baseUrl: service.url, fetch: noting });
    const { click_id: clickId } = await untilAnswered(() => client.trackClick({ affiliateUrl: brand.affiliateUrl }));
    journey.clickId = clickId;
    await untilAnswered(() => client.trackLead({ customerId: customerKey, clickId }).catch(ignoreExistingLead));
    journey.lead = 'acknowledged';

    for (let n = 0; n < SALES_OF_A_CLIENT; n++) {
      const sale: SentSale = { transactionId: `${customerKey}-${n}`, amountCents: chance.between(2, 100_000) };
      journey.sales.push(sale);
      await sell(client, customerKey, sale);
      if (chance.hits(0.3)) {
        const totalCents = chance.between(1, sale.amountCents - 1);
        await untilAnswered(() => client.trackRefund({ invoiceId: sale.transactionId, refundAmountCents: totalCents }));
        sale.refund = { totalCents, isAcknowledged: true };
      }
    }
  }

  /** Records the failures before a client's own retries. */
  async function noting(url: string, init: RequestInit): Promise<Response> {
    const reply = await fetch(url, init).catch((error: unknown) => {
      note('no reply');
      throw error;
    });
    if (reply.status >= 429) note(reply.status);
    return reply;
  }
  function note(failure: number | string): void {
    failures.set(failure, (failures.get(failure) ?? 0) + 1);
  }

  async function sell(client: ReferralClient, customerId: string, sale: SentSale): Promise<void> {
    const { transactionId: invoiceId, amountCents: amount } = sale;
    try {
      const reply = await untilAnswered(() => client.trackSale({ customerId, invoiceId, amount }));
      hold(reply.duplicate || reply.commission_id !== null, `Sale ${invoiceId} earned no commission`);
      sale.acknowledged = { saleId: reply.sale_id!, ...(!reply.duplicate && { commissionId: reply.commission_id! }) };
    } catch (error) {
      // The sale is recorded and the call is not repeated: the operator creates the commission.
      if (!(error instanceof ServerError && error.message === 'Failed to create commission')) throw error;
      calls.commissionsMissed += 1;
    }
  }

  /** Repeats a call like a brand's job queue: a little later each time, until there is a reply. */
  async function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
    for (let count = 1; ; count++) {
      try {
        return await call();
      } catch (error) {
        const isPassing =
          error instanceof NetworkError || error instanceof RateLimitError || error instanceof ServerError;
        const isFinal = error instanceof ServerError && error.message === 'Failed to create commission';
        if (!isPassing || isFinal || count === MOST_CALLS) throw error;
        calls.again += 1;
        await pause(count * BETWEEN_CALLS_MS);
      }
    }
  }
}

/** Ignores the error that an earlier call has recorded the lead. */
function ignoreExistingLead(error: unknown): void {
  const stands =
    error instanceof ValidationError &&
    error.message === 'Customer status cannot be updated to lead. Current status: lead';
  if (!stands) throw error;
}
