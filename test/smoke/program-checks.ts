import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { type Check, check, hasStatus, isApiAnswer, isCounted } from '#test/smoke/check.ts';

const track = '/api/v1/track';
const additional_data = { test_mode: true };

/** Checks of the API with a program's key. They send test events only, which create no customer, commission or fee. */
export function programChecks(key: string): readonly Check[] {
  const transactionId = `smoke-${crypto.randomUUID()}`;
  const testSale = {
    transaction_id: transactionId,
    amount_cents: 100,
    tax_cents: 19,
    coupon_code: 'SMOKE10',
    additional_data,
  };
  let programId: unknown;
  return [
    check('readiness tells how far the program is', async (wire) => {
      const answer = await wire('GET', '/api/v1/programs/me/readiness', { key });
      isApiAnswer(answer, 200);
      isCounted(answer, 30);
      deepStrictEqual(Object.keys(answer.json.gates), ['profile', 'economics', 'payout', 'tracking', 'live']);
      programId = answer.json.program_id;
    }),
    check('status is of the same program', async (wire) => {
      const answer = await wire('GET', '/api/v1/cli/status', { key });
      hasStatus(answer, 200);
      strictEqual(answer.json.data.program_id, programId);
    }),
    check('a test click is stored', async (wire) => {
      const answer = await wire('POST', `${track}/click`, { key, body: { additional_data } });
      isApiAnswer(answer, 200);
      match(answer.json.click_id, /^clk_test_/);
      strictEqual(answer.json.data.programId, programId);
    }),
    check('a test lead is stored', async (wire) => {
      const answer = await wire('POST', `${track}/lead`, { key, body: { additional_data } });
      isApiAnswer(answer, 200);
      strictEqual(answer.json.data.programId, programId);
    }),
    check('a test sale is stored', async (wire) => {
      const answer = await wire('POST', `${track}/sale`, { key, body: testSale });
      isApiAnswer(answer, 200);
      isCounted(answer, 120);
      strictEqual(answer.json.data.programId, programId);
    }),
    check('a sale with more tax than its amount is refused', async (wire) => {
      const answer = await wire('POST', `${track}/sale`, { key, body: { ...testSale, tax_cents: 101 } });
      isApiAnswer(answer, 400);
      strictEqual(answer.json.error.code, 'invalid_request');
    }),
    check('the same sale again is known', async (wire) => {
      const answer = await wire('POST', `${track}/sale`, { key, body: testSale });
      isApiAnswer(answer, 409);
      strictEqual(answer.json.error.code, 'duplicate_transaction');
    }),
    check('a refund of it finds no commission to take from', async (wire) => {
      const answer = await wire('POST', `${track}/refund`, { key, body: { transaction_id: transactionId } });
      isApiAnswer(answer, 200);
      strictEqual(answer.json.status, 'no_commission');
    }),
    check('the verification chain leads from the click to the partner', async (wire) => {
      const answer = await wire('POST', '/api/v1/cli/test-event', { key, body: { type: 'chain' } });
      isApiAnswer(answer, 200);
      deepStrictEqual(answer.json.data.verdict, { click: 'attributed', lead: 'attributed', sale: 'attributed' });
    }),
    check('readiness knows of all that at once', async (wire) => {
      const { json } = await wire('GET', '/api/v1/programs/me/readiness?force_recheck=true', { key });
      deepStrictEqual(json.checklist, { click: 'complete', lead: 'complete', sale: 'complete' });
      strictEqual(json.gates.live.status, 'pass');
      ok(json.integration_verified, `the integration is not verified: ${json.blocker} is in the way`);
    }),
  ];
}
