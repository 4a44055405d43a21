import { dashboard } from '#test/support/callers/dashboard.ts';
import { newAddress, ownerOfBrand, type Person, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import type { TestReply } from '#test/support/callers/request.ts';
import type { World } from '#test/support/programs/world.ts';

/** Creates a program with its owner, and returns functions that make people its partners. */
export async function programOf(world: World, settings: Record<string, unknown> = {}) {
  const brand = await world.brand();
  const owner = await ownerOfBrand(world, brand);
  const user = dashboard(owner.token);
  const { id } = brand.program;
  const url = `/programs/${id}`;
  if (Object.keys(settings).length > 0) await expectOk(user.patch(url, settings));
  const add = async (email: string, more: object = {}) =>
    (await expectOk(user.post(`${url}/partners`, { name: 'Ben', email, ...more }))).body.data.id as number;

  /** Creates a person whom the brand has added or invited, and who has signed in afterwards. */
  const listed = async (more: object = {}): Promise<Person & { readonly partnerId: number }> => {
    const email = newAddress('partner');
    const partnerId = await add(email, more);
    return { ...(await signedInAs(world, email)), partnerId };
  };

  /**
   * Creates a person whom the brand has invited and who has signed in or, without `invite`, a partner who has accepted.
   */
  const person = async (more: { readonly invite?: true } = {}) => {
    const found = await listed(more);
    if (!more.invite) await accepted(found, url);
    return found;
  };

  /** Creates a person who has signed in and applied. */
  const applicant = async (body: object = {}) => {
    const asked = await signedInAs(world);
    await expectOk(portal(asked.token).post(`/join/${id}`, body));
    return { ...asked, partnerId: await partnerIdOf(asked) };
  };

  const partnerIdOf = async ({ account }: Person): Promise<number> => {
    const items = await world.items(`ACCOUNT#${account.id}`);
    return items.find(({ sk }) => sk === `PARTNER#${id}`)?.partnerId as number;
  };

  return {
    brand,
    owner,
    user,
    url,
    id,
    add,
    person,
    listed,
    applicant,
    partnerIdOf,
    row: async (partnerId: number) => (await user.get(`${url}/partners/${partnerId}`)).body.data,
    item: async (partnerId: number) =>
      (await world.items(`PROGRAM#${id}`)).find(({ sk }) => sk === `PARTNER#${partnerId}`),
    program: async () => (await world.items(`PROGRAM#${id}`)).find(({ sk }) => sk === 'PROGRAM'),
  };
}

/** Accepts an invitation together with the newest terms. @param url of the program in the portal's API */
export async function accepted({ token }: Pick<Person, 'token'>, url: string, at?: Date): Promise<void> {
  const { get, post } = portal(token);
  await expectOk(get('/me', { at }));
  const { terms } = (await expectOk(get(url, { at }))).body.data;
  await expectOk(post(`${url}/accept`, terms ? { terms_version: terms.version } : {}, { at }));
}

async function expectOk(asked: Promise<TestReply>): Promise<TestReply> {
  const reply = await asked;
  if (reply.status !== 200) throw new Error(`Expected 200, got ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply;
}
