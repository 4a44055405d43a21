import { beforeEach, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { begin, comeBack, locationOf, settingsPage } from '#test/support/stripe/connecting.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { type Member, ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openStripe } from '#test/support/stripe/stripe-stand-in.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// One Stripe account can serve several programs of one workspace, but never two workspaces.

openProcessor();
const stripe = await openStripe();

const world = openedWorld();

let brand: Brand;
let owner: Member;
let user: Dashboard;
beforeEach(async () => {
  brand = await world.brand();
  owner = await ownerOfBrand(world, brand);
  user = dashboard(owner.token);
  stripe.letIn(`acct_${brand.program.id}`);
});

const later = (ms: number) => new Date(NOW.getTime() + ms);
const connectionOf = async () => (await user.get(`/programs/${brand.program.id}/processor`)).body.data;

it('a Stripe account that another workspace has connected cannot be connected', async () => {
  await comeBack({ state: await begin(user, brand), code: 'ac_1' });
  const other = await world.brand();
  const { token } = await ownerOfBrand(world, other);
  const state = await begin(dashboard(token), other);
  expect(locationOf(await comeBack({ state, code: 'ac_1' }))).toBe(settingsPage(other, 'error&reason=account_in_use'));
  expect(await world.items(keys.processorAccount(`acct_${brand.program.id}`).pk)).toMatchObject([
    { programIds: [brand.program.id], workspaceId: owner.workspace.id },
  ]);
});

it('several programs of one workspace can connect the same Stripe account', async () => {
  const terms = { name: 'Second', domain: 'second.test', commission_type: 'percent', commission_rate: 1 };
  const { body } = await user.post('/programs', terms);
  await comeBack({ state: await begin(user, brand), code: 'ac_1' });
  await comeBack({ state: await begin(user, { program: body.data }), code: 'ac_2' });
  expect(await world.items(keys.processorAccount(`acct_${brand.program.id}`).pk)).toMatchObject([
    { programIds: [brand.program.id, body.data.id] },
  ]);
});

it('connecting another Stripe account disconnects the former one, which is deleted if no program uses it', async () => {
  await comeBack({ state: await begin(user, brand), code: 'ac_1' });
  stripe.letIn('acct_next');
  await comeBack({ state: await begin(user, brand), code: 'ac_2' });
  expect((await connectionOf()).account_id).toBe('acct_next');
  expect(await world.items(keys.processorAccount(`acct_${brand.program.id}`).pk)).toEqual([]);
});

it('connecting the same Stripe account again updates its stored data', async () => {
  await comeBack({ state: await begin(user, brand), code: 'ac_1' });
  stripe.letIn(`acct_${brand.program.id}`, { charges_enabled: false });
  await comeBack({ state: await begin(user, brand), code: 'ac_2' }, undefined, later(60_000));
  expect(await connectionOf()).toMatchObject({ charges_enabled: false, connected_at: NOW.toISOString() });
  expect(await world.items(keys.processorAccount(`acct_${brand.program.id}`).pk)).toMatchObject([
    { programIds: [brand.program.id], flagsAt: later(60_000).toISOString() },
  ]);
});
