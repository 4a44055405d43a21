import { startEngine } from '#infra/local/database/engine.ts';
import { settingDefaults } from '#lib/service/ground/config/setting-defaults.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { DEFAULT_WINDOW_DAYS } from '#lib/service/programs/program/program.ts';
import { ask } from '#test/bench/support/in-process.ts';
import { report, type Rows } from '#test/bench/support/report.ts';
import { clickOf } from '#test/bench/support/requests.ts';
import { type ClickModel, storageUsd, storedBytes, storedClicks } from '#test/bench/support/tables/stored-clicks.ts';
import { openWorld } from '#test/support/programs/world.ts';

// Models what it costs to store clicks. The size of a click is measured: it is that of the item that one request
// stores.

const DAYS_A_MONTH = 365 / 12;
const KEPT_DAYS = DEFAULT_WINDOW_DAYS + Number(settingDefaults.unusedClickDays);
const clicksAMonth = 100_000_000;
const signups = 0.05;

/** The other fields that the tracker sends with a click, in usual lengths. */
const visit = {
  page_title: 'Pricing | Acme, the simple way to invoice your customers',
  referrer_url: 'https://www.a-blog-about-invoicing.example/ten-best-tools-for-small-companies',
  session_id: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
  user_agent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  screen_resolution: '1920x1080',
  viewport_size: '1903x947',
  language: 'en-US',
  timezone: 'America/New_York',
};

async function bytesOfAClick(): Promise<number> {
  const engine = await startEngine();
  process.env.DYNAMODB_ENDPOINT = engine.endpoint;
  const world = await openWorld();
  const { body: sent, ...request } = clickOf(await world.brand());
  const { body } = await ask({ ...request, body: { ...Object(sent), ...visit } });
  const [item] = await world.items(keys.customer(body.click_id).pk);
  await engine.stop();
  return storedBytes(item!);
}

const bytes = await bytesOfAClick();
const rows: Record<string, Rows[string]> = {};
const kept: Readonly<Record<string, number>> = {
  'all are kept': Infinity,
  [`unused ones are kept for ${KEPT_DAYS} days`]: KEPT_DAYS / DAYS_A_MONTH,
};
for (const [name, unusedMonths] of Object.entries(kept)) {
  const model: ClickModel = { clicksAMonth, signups, unusedMonths, bytes };
  for (const months of [1, 3, 6, 12, 24]) {
    rows[`${name}, after ${months} months`] = {
      'million clicks': storedClicks(months, model) / 1e6,
      'USD a month': storageUsd(months, model),
    };
  }
}
await report(`storage of clicks, ${bytes} bytes each`, rows);
