import { hold } from '#test/live/hold.ts';
import type { Brand } from '#test/live/brand.ts';
import type { Item, Stored } from '#test/soak/support/stored.ts';

/** A brand's data of one customer: sent and acknowledged requests. */
export interface Journey {
  readonly brand: Brand;
  readonly customerKey: string;
  /** Set once the click is acknowledged. */
  clickId?: string;
  lead?: 'sent' | 'acknowledged';
  readonly sales: SentSale[];
}

export interface SentSale {
  readonly transactionId: string;
  readonly amountCents: number;
  /** Set once the sale is acknowledged: by 200, or by 409, which contains only the sale. */
  acknowledged?: { readonly saleId: number; readonly commissionId?: number };
  refund?: { readonly totalCents: number; isAcknowledged: boolean };
}

export const newJourney = (brand: Brand, customerKey: string): Journey => ({ brand, customerKey, sales: [] });

/** 20 percent of an amount, rounded half up. */
const commissionOf = (amountCents: number) => Math.floor((2 * amountCents * 20 + 100) / 200);
const halfUp = (amount: number, part: number, whole: number) => Math.floor((2 * amount * part + whole) / (2 * whole));

/**
 * Expects that acknowledged data exist once with the acknowledged values, and that other data exist only if sent.
 * @param isSettled every call was repeated until acknowledged, so everything exists
 */
export function expectAcknowledged(
  stored: Stored,
  journeys: readonly Journey[],
  { isSettled }: { isSettled: boolean },
): void {
  const sent = new Set<string>();
  for (const journey of journeys) {
    expectReportedCustomer(stored, journey);
    for (const sale of journey.sales) {
      sent.add(sale.transactionId);
      const item = stored.sales.get(sale.transactionId);
      if (item) expectReportedSale(item, stored, journey, sale);
      else {
        hold(
          !sale.acknowledged,
          `Sale ${sale.transactionId} was acknowledged as ${sale.acknowledged?.saleId} and is lost`,
        );
        hold(!isSettled, `Sale ${sale.transactionId} was sent until it was acknowledged and is not there`);
      }
    }
  }
  for (const id of stored.sales.keys()) hold(sent.has(id), `Sale ${id} was sent by nobody`);
}

function expectReportedCustomer({ customers, leads }: Stored, { brand, clickId, customerKey, lead }: Journey): void {
  if (clickId === undefined) return;
  const customer = customers.get(clickId);
  hold(customer, `The click of ${customerKey} was acknowledged and is lost`);
  hold(customer.partnerId === brand.partnerId, `Customer ${customerKey} is partner ${String(customer.partnerId)}'s`);
  if (lead !== 'acknowledged') return;
  hold(leads.get(clickId)?.state === 'settled', `The lead of ${customerKey} was acknowledged and is lost`);
  hold(customer.customerKey === customerKey, `Customer ${customerKey} is called ${String(customer.customerKey)}`);
}

function expectReportedSale(item: Item, { commissions }: Stored, { brand, clickId }: Journey, sale: SentSale): void {
  const { transactionId, amountCents, acknowledged, refund } = sale;
  const holdEqual = (what: string, found: unknown, expected: unknown) =>
    hold(found === expected, `Sale ${transactionId}: ${what} is ${String(found)}, not ${String(expected)}`);
  holdEqual('its amount', item.amountCents, amountCents);
  holdEqual('its program', item.programId, brand.programId);
  holdEqual('its customer', (item.attribution as Item).clickId, clickId);
  if (acknowledged) holdEqual('its id', item.id, acknowledged.saleId);

  const commission = commissions.get(transactionId);
  hold(commission, `Sale ${transactionId} has no commission`);
  holdEqual("its commission's id", commission.id, acknowledged?.commissionId ?? item.commissionId);
  holdEqual('its commission', commission.amountCents, commissionOf(amountCents));
  holdEqual("its commission's partner", commission.partnerId, brand.partnerId);

  const refunded = Number(item.refundedCents);
  const isPossible = refund?.isAcknowledged
    ? refunded === refund.totalCents
    : refunded === 0 || refunded === refund?.totalCents;
  hold(isPossible, `Sale ${transactionId}: ${refunded} is refunded, not ${refund?.totalCents ?? 0}`);
  holdEqual('its deduction', commission.deductedCents, halfUp(commissionOf(amountCents), refunded, amountCents));
}
