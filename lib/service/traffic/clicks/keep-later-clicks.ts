import type { DynamoDBRecord } from 'aws-lambda';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { expiringClicksOf, keepLaterClick } from '#lib/service/traffic/clicks/clicks-items.ts';

/** How many clicks are read and written at once. */
const AT_ONCE = 50;

/**
 * A first lead or sale removes the expiry of a customer's item. This function then removes the expiry of the customer's
 * later clicks too. A click that is stored only seconds after the lead, because its request was slow, still expires.
 * @returns number of records, from the first on, that are done; fewer than all if the table failed
 */
export async function keepLaterClicks(
  { table, log }: Pick<Deps, 'table' | 'log'>,
  { records }: { readonly records: readonly DynamoDBRecord[] },
): Promise<number> {
  for (const [index, record] of records.entries()) {
    const clickId = keptCustomerIn(record);
    if (clickId === undefined) continue;
    try {
      let after: string | undefined;
      do {
        const { expiring, next } = await expiringClicksOf(table, clickId, after, AT_ONCE);
        await Promise.all(expiring.map((click) => keepLaterClick(table, click)));
        after = next;
      } while (after !== undefined);
    } catch (error) {
      log.error('later_clicks_delayed', error, { sequence_number: record.dynamodb?.SequenceNumber });
      return index;
    }
  }
  return records.length;
}

/** The click id of a customer whose item no longer expires. */
function keptCustomerIn({ dynamodb }: DynamoDBRecord): string | undefined {
  const { Keys, OldImage, NewImage } = dynamodb ?? {};
  const isKept = Keys?.sk?.S === 'CUSTOMER' && OldImage?.expires_at !== undefined && NewImage !== undefined;
  return isKept && NewImage.expires_at === undefined ? NewImage.clickId?.S : undefined;
}
