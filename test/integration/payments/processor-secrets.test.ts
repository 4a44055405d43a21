import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { handler as direct } from '#functions/webhooks/stripe/program.ts';
import { begin, comeBack } from '#test/support/stripe/connecting.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { failingAt, refused } from '#test/support/table/faults.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { browserLead } from '#test/support/payments/lives/journeys.ts';
import { paid, visitorOf } from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { send, type TestReply } from '#test/support/callers/request.ts';
import {
  charge,
  openProcessor,
  PLATFORM_SECRET,
  sendDirect,
  sendPlatform,
  signed,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openStripe } from '#test/support/stripe/stripe-stand-in.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// A container reads the level when it starts.
process.env.POWERTOOLS_LOG_LEVEL = 'DEBUG';

const EMAIL = 'Jane.Secret@Private.example';
const CUSTOMER_KEY = 'customer-key-of-jane';
const SECRETS = ['whsec_of_the_brand', 'whsec_of_the_brand_next'] as const;

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

openProcessor();
const stripe = await openStripe();

let replied = '';
/** Full values that must not appear in logs. */
const secret: string[] = [...SECRETS, PLATFORM_SECRET, 'sk_platform', 'ac_code_of_the_brand'];

const note = ({ body, headers, cookies }: TestReply) => {
  // The redirect to the processor's page, and its cookie, must contain the state.
  if (!cookies) replied += JSON.stringify({ body, headers });
};

/** Sends all processor requests, including failures and refusals of every kind. */
const world = openedWorld();
beforeAll(async () => {
  const brand = await world.brand();
  const { token } = await ownerOfBrand(world, brand);
  const owner = dashboard(token);
  const path = `/programs/${brand.program.id}/processor`;
  for (const signing_secret of SECRETS) note(await owner.put(path, { signing_secret }));
  note(await owner.put(path, { signing_secret: `${SECRETS[0]}\n` }));
  note(await owner.put(path, `{"signing_secret":"${SECRETS[0]}`));

  stripe.letIn('acct_1');
  stripe.answer('/oauth/token', {
    status: 400,
    body: { error: 'invalid_grant', error_description: 'ac_code_of_the_brand' },
  });
  for (const fail of [true, false]) {
    if (!fail) stripe.letIn('acct_1');
    const state = await begin(owner, brand);
    secret.push(state);
    note(await comeBack({ state, code: 'ac_code_of_the_brand' }));
    note(await comeBack({ state, code: 'ac_code_of_the_brand' }));
  }
  note(await owner.get(path));
  note(await owner.get(`/programs/${brand.program.id}`));
  note(await owner.get(`/programs/${brand.program.id}/readiness`));

  const { id, clickId, metadata } = await visitorOf(brand);
  await browserLead({ click_id: clickId, customer_key: CUSTOMER_KEY, email: EMAIL });
  const more = { customer_details: { email: EMAIL, name: 'Jane Secret' } };
  const payment = paid(id, { metadata: { ...metadata, service_customer_key: CUSTOMER_KEY }, ...more });
  const request = { ...signed(payment, SECRETS[1]), pathParameters: { program_id: String(brand.program.id) } };
  for (const at of [1, 2, 3, 4]) note(await failingAt(at, refused('InternalServerError'), () => send(direct, request)));
  note(await send(direct, request));
  note(await send(direct, request));
  note(await sendPlatform({ ...payment, account: 'acct_1' }));
  note(await sendPlatform(payment));
  note(await sendDirect(brand.program.id, payment, { secret: 'whsec_wrong' }));
  note(await sendDirect(brand.program.id, `{"email":"${EMAIL}`, { secret: SECRETS[1] }));
  note(await sendDirect(brand.program.id, stripeEvent('charge.refunded', charge(id, more)), { secret: SECRETS[0] }));
  note(await owner.delete(path));
});

const lowered = (all: readonly string[]) => all.map((each) => each.toLowerCase());

it('the requests with secrets, for which the next tests search the log, have written all expected kinds of log lines', () => {
  const codes = logged.matchAll(/"message":"(?<code>\w+)"/g).map(({ groups }) => groups?.code);
  expect(new Set(codes)).toEqual(
    new Set([
      'request_failed',
      'connect_exchange_failed',
      'deauthorization_failed',
      'webhook_refused',
      'processor_event_ignored',
    ]),
  );
});

it.each<[string, () => Promise<string> | string]>([
  ['no item of the table', async () => JSON.stringify(await allItems(world))],
  ['no line of the log', () => logged],
  ['no reply', () => replied],
])('%s contains a secret, state or authorization code of Stripe’s, or the payer’s personal data', async (_, read) => {
  const text = (await read()).toLowerCase();
  expect(text.length).toBeGreaterThan(500);
  for (const each of lowered([...secret, EMAIL, 'jane.secret', 'Jane Secret'])) expect(text).not.toContain(each);
});

it('no log line contains a customer key, a masked e-mail address, a header or a part of a body', () => {
  for (const each of lowered([
    CUSTOMER_KEY,
    '***@',
    'private.example',
    'stripe-signature',
    'bearer',
    'customer_details',
    'amount_total',
  ])) {
    expect(logged.toLowerCase()).not.toContain(each);
  }
});
