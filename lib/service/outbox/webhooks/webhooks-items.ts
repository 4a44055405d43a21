import type { WebhookEndpoint, Webhooks } from '#lib/service/outbox/webhooks/webhook.ts';
import { factKeys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The endpoints of a program. A program without endpoints may have no such item. */
export async function findWebhooks(table: Table, programId: number): Promise<Webhooks> {
  const item = await table.get<Webhooks>(factKeys.webhooks(programId));
  return { version: item?.version ?? 0, endpoints: item?.endpoints ?? [] };
}

/** Replaces a program's endpoints. Fails if another change was written first; this request then decides again. */
export const webhooksWrite = (
  programId: number,
  { version }: Webhooks,
  endpoints: readonly WebhookEndpoint[],
): Write => ({
  name: 'webhooks',
  key: factKeys.webhooks(programId),
  put: { programId, version: version + 1, endpoints },
  condition: version === 0 ? { isNew: true } : { equals: { version } },
});
