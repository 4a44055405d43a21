import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { generateProgramKey } from '#lib/service/programs/keys/generate-program-key.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { cancelled, failing, refused } from '#test/support/table/faults.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { operated } from '#test/support/callers/operator.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// A container reads the level when it starts.
process.env.POWERTOOLS_LOG_LEVEL = 'DEBUG';

const EMAIL = 'Jane.Secret+tag@Private.example';
const CUSTOMER_KEY = 'customer-key-of-jane';
const PAGE = 'https://brand.test/page?token=in-the-body';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) browser-of-jane/5.0';

let logged = '';
const writes = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write'));
for (const write of writes) {
  write.mockImplementation((line) => {
    logged += String(line);
    return true;
  });
}
afterAll(() => {
  for (const write of writes) write.mockRestore();
});

/** Full values that were returned or sent, and must not be readable. */
const keysSent: string[] = ['an-older-key-that-nobody-knows', `aff_1_${'Z'.repeat(32)}`];

/** Sends a whole journey with all secrets, including failures and refusals of every kind. */
const world = openedWorld();
beforeAll(async () => {
  const brand = await world.brand();
  const { program, affiliateUrl } = brand;
  const { key } = await generateProgramKey(world.deps(), program.id);
  keysSent.push(brand.key, key);

  const visit = { affiliate_url: affiliateUrl, page_url: PAGE, user_agent: BROWSER };
  const clickId = (await send(click, { key, body: visit })).body.click_id as string;
  const person = { click_id: clickId, customer_key: CUSTOMER_KEY, email: EMAIL };
  await send(lead, { body: person });
  await failing('write', refused('InternalServerError'), () => send(lead, { key, body: person }));
  await send(lead, { key, body: person });
  await send(lead, { key, body: { ...person, additional_data: { test_mode: true } } });

  const other = (await send(click, { body: visit })).body.click_id as string;
  await send(lead, { key, body: { click_id: other, customer_key: 'first-key', email: EMAIL } });
  await markKeyForRotation(world.deps(), program.id, new Date(NOW.getTime() + 86_400_000));

  const bought = { transaction_id: 'sale-1', amount_cents: 4900, customer_key: CUSTOMER_KEY };
  const rejected = cancelled((sk) => (sk === 'COMMISSION' ? 'ValidationError' : 'None'));
  await failing('write', rejected, () => send(sale, { key, body: { ...bought, transaction_id: 'sale-0' } }));
  await failing('count', refused('TimeoutError'), () => send(sale, { key, body: bought }));
  await send(sale, { key, body: bought });
  await failing('read', refused('ThrottlingException'), () =>
    send(refund, { key, body: { transaction_id: 'sale-1' } }),
  );
  await send(refund, { key, body: { transaction_id: 'sale-1' } });

  const workspace = `--workspace ${program.workspaceId}`;
  const issued = await operated(world, `agent-key issue ${workspace} --scopes program:list,program:read --name Tool`);
  keysSent.push(issued.key);

  for (const anyKey of keysSent) await send(sale, { key: anyKey, body: bought });
  await send(sale, { key, body: `{"email": "${EMAIL}", ` });
  const { key: next } = await generateProgramKey(world.deps(), program.id);
  await send(sale, { key: next, body: bought });
  const older = 'an-older-key-that-was-imported';
  await operated(world, `key import-legacy --program ${program.id} --key ${older}`);
  keysSent.push(next, older);
  await send(sale, { key: older, body: bought });
});

it('the requests with secrets that this file has sent have caused exactly the expected kinds of log lines', () => {
  const codes = logged.matchAll(/"message":"(?<code>\w+)"/g).map(({ groups }) => groups?.code);
  expect(new Set(codes)).toEqual(new Set(['request_failed', 'rate_window_uncounted', 'commission_failed']));
});

it('no table item contains a full key or a customer’s e-mail address', async () => {
  const items = await allItems(world);
  expect(items.length).toBeGreaterThan(20);
  const table = JSON.stringify(items, (_, value: unknown) => (value instanceof Set ? [...value] : value)).toLowerCase();
  for (const key of keysSent) expect(table).not.toContain(key.toLowerCase());
  expect(table).not.toContain(EMAIL.toLowerCase());
  expect(table).not.toContain('jane.secret');
  expect(table).toContain('j***@private.example');
});

it('no log line contains a key, an e-mail address, a customer key or a part of a body', () => {
  const log = logged.toLowerCase();
  for (const key of keysSent) expect(log).not.toContain(key.toLowerCase());
  for (const secret of [
    'jane',
    'private.example',
    '***@',
    CUSTOMER_KEY,
    'first-key',
    'in-the-body',
    'authorization',
    'bearer',
  ]) {
    expect(log).not.toContain(secret.toLowerCase());
  }
});
