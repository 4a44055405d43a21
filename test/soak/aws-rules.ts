import { join } from 'node:path';
import { startEngine } from '#infra/local/database/engine.ts';
import { hold } from '#test/live/hold.ts';
import { startService } from '#test/live/service.ts';
import { doBusiness } from '#test/soak/support/business.ts';
import { expectAcknowledged } from '#test/soak/support/journey.ts';
import { soak } from '#test/soak/support/part.ts';
import { soundTable } from '#test/soak/support/stored.ts';
import { openAwsRules } from '#test/support/table/aws-rules.ts';

// The engine throttles, reports conflicts, leaves keys unprocessed, returns short pages, delays index updates and
// redelivers stream records, as documented by AWS. Clients must not notice: nothing fails, nothing is lost.

const INDEX_DELAY_MS = 2_000;

await soak(async (part) => {
  const { chance, size } = part;
  const clients = size(40, 8);
  const engine = await startEngine({ dbPath: join(part.folder, 'engine.db') });
  part.atEnd(engine.stop);
  const rules = await openAwsRules(engine.endpoint, chance, { indexDelayMs: INDEX_DELAY_MS });
  part.atEnd(rules.close);
  const service = await startService(part, { variables: { DYNAMODB_ENDPOINT: rules.endpoint } });

  const { journeys, failures, commissionsMissed } = await doBusiness(service, clients, chance);

  hold(
    failures.size === 0,
    `Clients met ${[...failures].map(([failure, count]) => `${count} times ${failure}`).join('; ')}`,
  );
  hold(commissionsMissed === 0, `${commissionsMissed} sales were recorded without their commission`);
  const stored = await soundTable(service);
  expectAcknowledged(stored, journeys, { isSettled: true });
  return {
    "what AWS's rules did": [...rules.counts].map(([rule, count]) => `${count} ${rule}`).join('; '),
    'sales, exactly those that were sent': `${stored.sales.size} of ${clients} clients`,
  };
});
