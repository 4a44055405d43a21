import { join } from 'node:path';
import { argv } from 'node:process';
import { chanceOf } from '#infra/local/demo/chance.ts';
import { newBrand, type Brand } from '#test/live/brand.ts';
import { succeed } from '#test/live/caller.ts';
import { formerVersion } from '#test/live/former-version.ts';
import { hold } from '#test/live/hold.ts';
import { inParallel } from '#test/live/in-parallel.ts';
import { runInScope, type Scope } from '#test/live/scope.ts';
import { type Service, startService } from '#test/live/service.ts';
import { expectAcknowledged, type Journey, newJourney } from '#test/soak/support/journey.ts';
import { soundTable } from '#test/soak/support/stored.ts';
import { sendSale, travel } from '#test/soak/support/travel.ts';

// An update and its rollback on one table, with traffic in each version: the former version, this one, the former one
// again, and this one again. After each of them all money must be recorded once, in every version's own sales.

/** Of each brand in each turn; few enough for the rate limits. */
const CUSTOMERS = 10;
const WORKERS = 6;

await runInScope('update-trial', tryUpdate, (what) => console.error(`✖ ${what}`));

async function tryUpdate(scope: Scope): Promise<void> {
  const commit = argv[argv.indexOf('--from') + 1];
  hold(argv.includes('--from') && commit, 'Usage: npm run update-trial -- --from <commit of the former version>');
  const former = await formerVersion(scope, commit);
  const chance = chanceOf(commit);
  const journeys: Journey[] = [];
  const brands: Brand[] = [];
  for (const [turn, root] of [former, '.', former, '.'].entries()) {
    const name = root === former ? commit : 'this version';
    const service = await startService(scope, { root, variables: { DATA_DIR: join(scope.folder, 'data') } });
    // A start sets the clock back. Each turn has new rate limits.
    await succeed(service.call, { path: '/local/clock', body: { advance_seconds: 60 * turn } });
    const earlier = [...journeys];
    brands.push(await newBrand(service.call, `turn-${turn}`));
    const fresh = brands.flatMap((brand) =>
      Array.from({ length: CUSTOMERS }, (_, n) => newJourney(brand, `${brand.name}-${turn}-${n}`)),
    );
    journeys.push(...fresh);
    await inParallel(fresh.length, WORKERS, (n) => travel(service.call, fresh[n]!, chance));
    await inParallel(earlier.length, WORKERS, (n) => continueWith(service, earlier[n]!, turn));
    const paid = await payouts(service, brands);
    const stored = await soundTable(service);
    expectAcknowledged(stored, journeys, { isSettled: true });
    console.log(
      `✔ ${name}: ${stored.sales.size} sales of ${stored.customers.size} customers, each once; ${paid} payouts`,
    );
    await service.kill();
  }
}

/** Sends a customer's first sale again, which must answer 409 with the same id, and a renewal. */
async function continueWith({ call }: Service, journey: Journey, turn: number): Promise<void> {
  const isRecorded = await sendSale(call, journey, journey.sales[0]!);
  hold(isRecorded, `Sale ${journey.sales[0]!.transactionId} was recorded a second time`);
  const renewal = { transactionId: `${journey.customerKey}-turn-${turn}`, amountCents: 1_000 + turn };
  journey.sales.push(renewal);
  await sendSale(call, journey, renewal);
}

/** Approves one commission of each program and pays it out. @returns the number of payouts of all turns */
async function payouts({ call }: Service, brands: readonly Brand[]): Promise<number> {
  let count = 0;
  for (const { programId, token: key } of brands) {
    const program = `/api/dashboard/v1/programs/${programId}`;
    const ask = async (method: string, path: string, body?: object) =>
      (await succeed(call, { method, path: `${program}/${path}`, key, body })).data;
    const [pending] = await ask('GET', 'commissions?status=pending&limit=1');
    await ask('POST', `commissions/${pending.id}/approve`, {});
    await ask('POST', 'payouts', {});
    count += (await ask('GET', 'payouts')).length;
  }
  return count;
}
