import { beforeEach, expect, it } from 'vitest';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { newAddress, ownerOfBrand, type Person, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

// A person goes through every state of a partner. In each state the brand must see the account by every route if the
// portal calls the person a partner, and by none otherwise.

openProcessor();

let world: World;
let own: OwnedBrand;
let vera: Person;
let path: string;
let ownerEmail: string;
let at: Date;
beforeEach(async () => {
  world = await openWorld();
  own = await ownedBrand(world);
  ownerEmail = (await ownerOfBrand(world, own)).account.email;
  vera = await signedInAs(world, newAddress('vera'));
  at = NOW;
});

/** Payout details that the person sets before each step. Their hold is over by the next step. */
const ibans = ['DE89370400440532013000', 'GB33BUKB20201555555555', 'NL91ABNA0417164300', 'BE68539007547034'];
const DAYS_2 = 48 * 3_600_000;

async function enter(more: object): Promise<void> {
  const { email } = vera.account;
  const added = await own.owner.post(`${own.path}/partners`, { name: 'Written', email, ...more }, { at });
  path = `${own.path}/partners/${added.body.data.id}`;
}

const byPerson = (step: string) => portal(vera.token).post(`${own.path}/${step}`, {}, { at });
const byBrand = {
  invited: () => enter({ invite: true }),
  added: () => enter({}),
  'invited again': () => own.owner.post(`${path}/invite`, {}, { at }),
  withdrawn: () => own.owner.post(`${path}/withdraw`, {}, { at }),
  removed: () => own.owner.patch(path, { status: 'removed' }, { at }),
  restored: () => own.owner.patch(path, { status: 'active' }, { at }),
};
const steps = {
  ...byBrand,
  accepted: () => byPerson('accept'),
  declined: () => byPerson('decline'),
  left: () => byPerson('leave'),
};
type Step = keyof typeof steps;

/** Whether the brand sees anything of the account, by each route. */
async function seenByBrand(iban: string): Promise<Readonly<Record<string, boolean>>> {
  const isKnown = (body: unknown) => {
    const text = JSON.stringify(body);
    return text.includes(iban) || text.includes(`**** ${iban.slice(-4)}`) || text.includes('"has_account":true');
  };
  const { owner } = own;
  const id = path.split('/').at(-1);
  const rows = {
    row: await owner.get(path, { at }),
    list: await owner.get(`${own.path}/partners`, { at }),
    preview: await owner.post(`${own.path}/payouts/preview`, {}, { at }),
  };
  const seen = Object.fromEntries(Object.entries(rows).map(([door, { body }]) => [door, isKnown(body)]));
  const made = await owner.post(`${own.path}/payouts`, { partner_id: Number(id) }, { at });
  const file = await owner.get(`${own.path}/payouts/${made.body.data?.id}.csv`, { at });
  return { ...seen, file: isKnown(file.body) };
}

/** Moves the time and starts new sessions, which are always recent. */
async function later(ms: number): Promise<void> {
  at = new Date(at.getTime() + ms);
  vera = await signedInAs(world, vera.account.email, at);
  own = { ...own, owner: dashboard((await signedInAs(world, ownerEmail, at)).token) };
}

const granted = () =>
  own.owner.post(`${path}/commissions`, { amount_cents: 1, currency: 'USD', reason: 'Bonus' }, { at });

it.each<readonly [string, readonly (readonly [Step, string])[]]>([
  [
    'an invited person',
    [
      ['invited', 'invited'],
      ['accepted', 'active'],
      ['removed', 'removed'],
      ['restored', 'invited'],
      ['accepted', 'active'],
      ['left', 'removed'],
      ['invited again', 'invited'],
      ['withdrawn', 'expired'],
      ['invited again', 'invited'],
      ['accepted', 'active'],
    ],
  ],
  [
    'an added person',
    [
      ['added', 'invited'],
      ['removed', 'removed'],
      ['restored', 'invited'],
      ['accepted', 'active'],
      ['removed', 'removed'],
      ['restored', 'invited'],
      ['declined', 'removed'],
      ['invited again', 'invited'],
      ['accepted', 'active'],
    ],
  ],
  [
    'a person who declines',
    [
      ['invited', 'invited'],
      ['declined', 'expired'],
      ['invited again', 'invited'],
      ['accepted', 'active'],
      ['removed', 'removed'],
      ['invited again', 'invited'],
      ['declined', 'expired'],
    ],
  ],
])(
  'after each step of a partnership, the brand sees exactly the payout details that the portal says are shared with it: %s',
  async (_, walk) => {
    for (const [index, [step, status]] of walk.entries()) {
      await later(4 * DAYS_2);
      const iban = ibans[index % ibans.length]!;
      const set = await portal(vera.token).put(
        '/payout-details',
        { method: 'bank', account_holder: 'Vera Victim', iban },
        { at },
      );
      expect(set.status).toBe(200);
      await steps[step]();
      // Granting is refused if the person is not a partner. Nothing is due then, which reveals nothing either.
      await granted();
      await later(DAYS_2);
      const { programs } = (await portal(vera.token).get('/me', { at })).body.data;
      expect([step, programs[0].status]).toEqual([step, status]);
      const isPartner = status === 'active';
      const { file, ...pages } = await seenByBrand(iban);
      expect([step, pages]).toEqual([step, { row: isPartner, list: isPartner, preview: isPartner }]);
      expect([step, file]).toEqual([step, isPartner]);
    }
  },
);
