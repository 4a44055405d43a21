import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newBrand } from '#test/live/brand.ts';
import type { Call } from '#test/live/caller.ts';
import type { Chance } from '#infra/local/demo/chance.ts';
import { enginePidOf } from '#test/live/engine-of.ts';
import { inParallel } from '#test/live/in-parallel.ts';
import { expectAcknowledged, type Journey, newJourney } from '#test/soak/support/journey.ts';
import { hold } from '#test/live/hold.ts';
import { sendLead, sendRefund, sendSale, travel } from '#test/soak/support/travel.ts';
import { soak } from '#test/soak/support/part.ts';
import { type Service, startService } from '#test/live/service.ts';
import { soundTable, storedNow } from '#test/soak/support/stored.ts';

// The server, its engine or both are killed with -9 during a mixed load, and restarted with the same data. Acknowledged
// requests must be stored; others are sent again, as clients do, and must then be stored once.

const BRANDS_PER_ROUND = 2;
const WORKERS = 12;
/** The approximate number of requests per journey. */
const REQUESTS = 3.75;
const LONGEST_DELAY_MS = 15;

const victims = ['server', 'engine', 'server and engine'] as const;

/** The service was killed before its reply. */
class Unanswered extends Error {}

await soak(async (part) => {
  const { chance, size } = part;
  const rounds = size(20, 3);
  /** Journeys of one brand, few enough for its rate limit on sales. */
  const journeysOfBrand = size(24, 12);
  const journeys: Journey[] = [];
  const found = { acknowledged: 0, sentAgain: 0, recorded: 0 };
  const start = () => startService(part, { variables: { DATA_DIR: join(part.folder, 'data') } });

  let service = await start();
  for (let round = 0; round < rounds; round++) {
    const names = Array.from({ length: BRANDS_PER_ROUND }, (_, n) => `soak-${round}-${n}`);
    const brands = await Promise.all(names.map((name) => newBrand(service.call, name)));
    const own = brands.flatMap((brand) =>
      Array.from({ length: journeysOfBrand }, (_, n) => newJourney(brand, `${brand.name}-${n}`)),
    );
    journeys.push(...own);
    await liveUntilKilled(service, own, victims[round % victims.length]!, chance);
    found.acknowledged += own.flatMap(({ sales }) => sales).filter(({ acknowledged }) => acknowledged).length;

    service = await start();
    expectAcknowledged(await soundTable(service), journeys, { isSettled: false });
    for (const journey of own) {
      const { again, alreadyRecorded } = await sendAgain(service.call, journey);
      found.sentAgain += again;
      found.recorded += alreadyRecorded;
    }
    expectAcknowledged(await storedNow(service), journeys, { isSettled: true });
  }
  const stored = await soundTable(service);
  expectAcknowledged(stored, journeys, { isSettled: true });
  return {
    'rounds of kill -9 and restart': rounds,
    'sales acknowledged before a kill, all there': found.acknowledged,
    'sales unanswered because of a kill': `${found.sentAgain}, of which ${found.recorded} were recorded; all there once`,
    'sales, each with its commission': `${stored.sales.size} of ${stored.customers.size} customers`,
  };
});

async function liveUntilKilled(
  service: Service,
  journeys: Journey[],
  victim: (typeof victims)[number],
  chance: Chance,
) {
  const enginePid = await enginePidOf(service.pid);
  // The service is killed shortly after one of the round's replies.
  const [killAt, delayMs] = [
    chance.between(1, Math.floor(REQUESTS * journeys.length)),
    chance.between(0, LONGEST_DELAY_MS),
  ];
  let replies = 0;
  let killed: Promise<void> | undefined;

  async function kill(): Promise<void> {
    await pause(delayMs);
    isDying = true;
    if (victim !== 'server') process.kill(enginePid, 'SIGKILL');
    if (victim !== 'engine') await service.kill();
  }
  let isDying = false;
  const call: Call = async (request) => {
    const reply = await service.call(request).catch(() => undefined);
    if (++replies === killAt) killed = kill();
    if (reply && reply.status < 500) return reply;
    hold(isDying, `${request.path} failed before anything was killed: ${reply?.status} ${reply?.text}`);
    throw new Unanswered();
  };
  await inParallel(journeys.length, WORKERS, (n) => travel(call, journeys[n]!, chance).catch(unlessUnanswered));
  await (killed ?? kill());
  await service.kill();
}

function unlessUnanswered(error: unknown): void {
  if (!(error instanceof Unanswered)) throw error;
}

/** Sends calls without a reply again, as a brand does. */
async function sendAgain(call: Call, journey: Journey): Promise<{ again: number; alreadyRecorded: number }> {
  let [again, alreadyRecorded] = [0, 0];
  if (journey.lead === 'sent') await sendLead(call, journey);
  for (const sale of journey.sales) {
    if (!sale.acknowledged) {
      again += 1;
      if (await sendSale(call, journey, sale)) alreadyRecorded += 1;
    }
    if (sale.refund && !sale.refund.isAcknowledged) await sendRefund(call, journey.brand, sale);
  }
  return { again, alreadyRecorded };
}
