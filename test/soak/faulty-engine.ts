import { join } from 'node:path';
import { startEngine } from '#infra/local/database/engine.ts';
import { doBusiness } from '#test/soak/support/business.ts';
import { openFaultyNetwork } from '#test/soak/support/faulty-network.ts';
import { expectAcknowledged } from '#test/soak/support/journey.ts';
import { operate } from '#test/soak/support/operate.ts';
import { soak } from '#test/soak/support/part.ts';
import { startService } from '#test/live/service.ts';
import { soundTable } from '#test/soak/support/stored.ts';

// The connection to the engine delays, drops, fails and throttles calls, cancels transactions and loses replies.
// Clients that follow the documented retry rules must end with exactly their sales.

await soak(async (part) => {
  const { chance, size } = part;
  const clients = size(40, 12);
  const engine = await startEngine({ dbPath: join(part.folder, 'engine.db') });
  part.atEnd(engine.stop);
  const way = await openFaultyNetwork(engine.endpoint, chance);
  part.atEnd(way.close);
  const service = await startService(part, { variables: { DYNAMODB_ENDPOINT: way.endpoint } });

  const business = await doBusiness(service, clients, chance, () => (way.misbehaves = true));
  way.misbehaves = false;

  await operate(service, ['sale', 'repair', '--all']);
  const stored = await soundTable(service);
  expectAcknowledged(stored, business.journeys, { isSettled: true });
  return {
    'faults of the engine': [...way.counts].map(([fault, count]) => `${count} ${fault}`).join('; '),
    'what clients met': [...business.failures].map(([failure, count]) => `${count} times ${failure}`).join('; '),
    'calls that failed for good and were made again': business.callsMadeAgain,
    'commissions that were not created, and were repaired': business.commissionsMissed,
    'sales, exactly those that were sent': `${stored.sales.size} of ${clients} clients`,
  };
});
