import { type Brand, clicked, saleOf, signedUp } from '#test/live/brand.ts';
import { type Reply, succeed } from '#test/live/caller.ts';
import { type Edge, LOOKS, type Sighting } from '#test/soak/support/edge.ts';
import { inParallel } from '#test/live/in-parallel.ts';
import { operate } from '#test/soak/support/operate.ts';
import { hold, violated } from '#test/live/hold.ts';
import type { Service } from '#test/live/service.ts';
import { storedNow } from '#test/soak/support/stored.ts';

/** The service and the brand whose edges are tested. */
interface Scene {
  readonly service: Service;
  /** A brand with the settings `oneDay`. */
  readonly brand: Brand;
  /** Records a sale that was acknowledged. */
  readonly acknowledge: (transactionId: string) => void;
}

export const oneDay = { attribution_window_days: 1, hold_period_days: 1 };
export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const HELD_SALES = 20;
const AT_ONCE = 4;

/** A reply that is not expected on either side of an edge. */
const neither = (name: string, { status, text }: Reply) => violated(`${name}: answered ${status}: ${text}`);

const named = (name: string, times: readonly number[], look: Edge['look']): Edge => ({
  name,
  first: Math.min(...times),
  last: Math.max(...times),
  look,
});

/** Customers without a sign-up pay around the end of their window. */
async function attributionWindow({ service, brand, acknowledge }: Scene): Promise<Edge> {
  const name = 'attribution window';
  const clickIds = await inParallel(LOOKS, AT_ONCE, () => clicked(service.call, brand));
  const { customers } = await storedNow(service);
  const ends = clickIds.map((clickId) => Date.parse(String(customers.get(clickId)?.firstClickAt)) + DAY_MS);
  return named(name, ends, async (n) => {
    const transactionId = `${brand.name}-window-${n}`;
    const body = { transaction_id: transactionId, amount_cents: 4900, click_id: clickIds[n] };
    const reply = await service.call(saleOf(brand, body));
    const { attributed, click_age_days: age, window_days: days } = reply.body;
    if (attributed === true) {
      acknowledge(transactionId);
      return [{ side: 'before', edge: ends[n]! }];
    }
    return attributed === false && age === 1 && days === 1 ? [{ side: 'after', edge: ends[n]! }] : neither(name, reply);
  });
}

/** Commissions are listed around the end of their hold. */
async function holdPeriod({ service, brand, acknowledge }: Scene): Promise<Edge> {
  const name = 'hold';
  const request = { method: 'GET', path: `/api/dashboard/v1/programs/${brand.programId}/commissions?limit=100` };
  await signedUp(service.call, brand, 'buyer');
  await inParallel(HELD_SALES, AT_ONCE, async (n) => {
    const transactionId = `${brand.name}-hold-${n}`;
    const body = { transaction_id: transactionId, amount_cents: 4900, customer_key: 'buyer' };
    await succeed(service.call, saleOf(brand, body));
    acknowledge(transactionId);
  });
  const list = () => service.call({ ...request, key: brand.token });
  const ends = rowsOf(await list()).map(({ hold_until: until }) => Date.parse(until));
  return named(name, ends, async () => {
    const reply = await list();
    hold(
      rowsOf(reply).length === HELD_SALES,
      `${name}: ${rowsOf(reply).length} of ${HELD_SALES} commissions are listed`,
    );
    return rowsOf(reply).map(({ status, hold_until: until, approved_at: approvedAt }): Sighting => {
      const edge = Date.parse(until);
      if (status === 'pending' && approvedAt === null) return { side: 'before', edge };
      return status === 'approved' && approvedAt === until ? { side: 'after', edge } : neither(name, reply);
    });
  });
}

const rowsOf = ({ body }: Reply): readonly Record<'status' | 'hold_until' | 'approved_at', string>[] => body.data;

const auth = '/api/v1/cli/auth';

/** CLI logins are polled and completed around the expiry of their link. */
async function terminalLogin({ service, brand }: Scene): Promise<Edge> {
  const name = 'login of a terminal';
  const email = `owner@${brand.name}.test`;
  const logins = await inParallel(LOOKS, AT_ONCE, async () => {
    const { data } = await succeed(service.call, { path: `${auth}/start` });
    // Each id_token signs in one CLI only.
    const { id_token: idToken } = await succeed(service.call, { path: '/local/oidc/token', body: { email } });
    return { state: data.state as string, edge: Date.parse(data.expires_at), idToken: idToken as string };
  });
  const complete = async ({ state, idToken }: (typeof logins)[number]) => {
    const reply = await service.call({ path: `${auth}/callback`, body: { state, id_token: idToken } });
    if (reply.status === 200) return 'before';
    return reply.body.error?.message === 'Session expired' ? 'after' : neither(name, reply);
  };
  const poll = async ({ state }: (typeof logins)[number]) => {
    const reply = await service.call({ method: 'GET', path: `${auth}/poll?state=${state}` });
    if (reply.body.data?.status === 'pending') return 'before';
    return reply.body.data?.status === 'expired' ? 'after' : neither(name, reply);
  };
  const ends = logins.map(({ edge }) => edge);
  return named(name, ends, async (n) => {
    const login = logins[n]!;
    return [{ side: await (n % 2 === 0 ? poll(login) : complete(login)), edge: login.edge }];
  });
}

/** A CLI is used around the expiry of its login token. A dashboard token does not expire while it is used. */
async function loginToken({ service, brand }: Scene): Promise<Edge> {
  const name = 'login token';
  const email = `owner@${brand.name}.test`;
  const { id_token } = await succeed(service.call, { path: '/local/oidc/token', body: { email } });
  const { state } = (await succeed(service.call, { path: `${auth}/start`, body: {} })).data;
  await succeed(service.call, { path: `${auth}/callback`, body: { state, id_token } });
  const { data } = await succeed(service.call, { method: 'GET', path: `${auth}/poll?state=${state}` });
  const me = await succeed(service.call, { method: 'GET', path: '/api/dashboard/v1/me', key: data.token });
  const edge = Date.parse(me.data.token_expires_at);
  return named(name, [edge], async () => {
    const reply = await service.call({ method: 'GET', path: '/api/dashboard/v1/me', key: data.token });
    if (reply.status === 200) return [{ side: 'before', edge }];
    return reply.body.error?.message === 'Invalid or expired token' ? [{ side: 'after', edge }] : neither(name, reply);
  });
}

/** A marked key is used around its deadline. */
async function keyRotation({ service, brand, acknowledge }: Scene): Promise<Edge> {
  const name = 'key rotation';
  await signedUp(service.call, brand, 'buyer');
  const edge = Date.now() + HOUR_MS;
  const deadline = new Date(edge).toISOString();
  await operate(service, ['key', 'mark-rotation', '--program', String(brand.programId), '--deadline', deadline]);
  return named(name, [edge], async (n) => {
    const transactionId = `${brand.name}-rotation-${n}`;
    const body = { transaction_id: transactionId, amount_cents: 4900, customer_key: 'buyer' };
    const reply = await service.call(saleOf(brand, body));
    const { status, headers, body: told } = reply;
    hold(headers.sunset === new Date(edge).toUTCString(), `${name}: the answer does not tell the deadline`);
    if (status === 200 && told.warnings.length === 1) {
      acknowledge(transactionId);
      return [{ side: 'before', edge }];
    }
    const isRetired = status === 401 && told.error.code === 'api_key_rotation_required' && !told.warnings;
    return isRetired ? [{ side: 'after', edge }] : neither(name, reply);
  });
}

/** Every edge, prepared for the test. */
export const edges = [attributionWindow, holdPeriod, terminalLogin, loginToken, keyRotation] as const;
