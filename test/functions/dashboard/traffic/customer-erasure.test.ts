import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handler as schedule } from '#functions/schedule/outbox.ts';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { actorOf } from '#lib/service/ground/changes/audit.ts';
import { exportFiles } from '#lib/service/ground/effects/exports.ts';
import { customerJson } from '#lib/service/http/traffic/customer-export-reply.ts';
import { resumeErasures } from '#lib/service/operations/erasure/resume-erasures.ts';
import { exportCustomer } from '#lib/service/reports/exports/export-customer.ts';
import { findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { opened } from '#test/support/cases/opened.ts';
import { clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { livedThrough, tracesOf } from '#test/support/payments/lives/lived-through.ts';
import { fresh } from '#test/support/payments/failed-sales.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { memberOf, ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { deliver, directBrand, openProcessor } from '#test/support/stripe/stripe.ts';
import { paid } from '#test/support/payments/payers.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { failing, overtakenBy, refused, replyLost } from '#test/support/table/faults.ts';

// Tests of an owner who erases a customer: the request, and the schedule that finishes the erasure.

openProcessor();
const world = openedWorld();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exports-'));
  process.env.EXPORTS_FOLDER = folder;
});
afterAll(() => rm(folder, { recursive: true }));
const brand = opened(async () => {
  const direct = await directBrand(world);
  const { token } = await ownerOfBrand(world, direct);
  return { ...direct, owner: dashboard(token), path: `/programs/${direct.program.id}` };
});

interface Asking {
  readonly owner?: Dashboard;
  /** The sign-in stays as old as it is. */
  readonly isLeftAlone?: true;
}

const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const run = (seconds: number) => schedule({ time: after(seconds).toISOString() });
const erase = (clickId: string, at = NOW, { owner = brand.owner, ...more }: Asking = {}) => {
  const url = `${brand.path}/customers/${encodeURIComponent(clickId)}/erase`;
  return owner.post(url, { confirm: clickId }, { at, ...more });
};
const due = () => world.items('DUE_ERASURES');
let people = 0;
/** A name that is no part of another one. */
const named = () => `gone${String.fromCodePoint(97 + people++)}x`;
const actions = async () =>
  (await brand.owner.get(`/workspace/audit?target_type=customer`)).body.data.map(
    ({ action, target }: { action: string; target: { id: string } }) => [action, target.id],
  );
const ended = () => AbortSignal.abort();

describe('a request to erase a customer’s data', () => {
  it('makes the customer impossible to find at once, and the schedule then removes all the customer’s data', async () => {
    const name = named();
    const { clickId, key } = await livedThrough(brand, name);
    expect((await erase(clickId)).body).toEqual({ data: { click_id: clickId, status: 'erasing', sales: 3 } });
    const buy = { transaction_id: `${name}-late`, amount_cents: 100, customer_key: key };
    expect((await send(sale, { key: brand.key, body: buy })).status).toBe(400);
    // Requests in progress may still know the customer.
    await run(20);
    expect(await due()).toHaveLength(1);
    expect((await erase(clickId, after(25))).body.data.status).toBe('erasing');
    await run(60);
    expect(await due()).toEqual([]);
    expect(await tracesOf(world, name)).toEqual([]);
    expect((await erase(clickId, after(65))).body).toEqual({ data: { click_id: clickId, status: 'erased', sales: 3 } });
    expect((await actions()).filter(([, id]: [string, string]) => id === clickId)).toEqual([
      ['customer.erased', clickId],
    ]);
  });

  it('leaves no reason that an owner wrote about the customer, not even in the audit list', async () => {
    const name = named();
    const { clickId, transactions } = await livedThrough(brand, name);
    const correction = { refund_amount_cents: 300, refund_reason: `${name} asked for less` };
    const corrected = await brand.owner.post(`${brand.path}/sales/${transactions[0]}/refund`, correction);
    const unlinked = await brand.owner.post(`${brand.path}/customers/${clickId}/unlink`, { reason: `${name} asked` });
    expect([corrected.status, unlinked.status]).toEqual([200, 200]);
    await erase(clickId);
    await run(60);
    expect(await tracesOf(world, name)).toEqual([]);
  });

  it('needs a recent sign-in, except to ask how far the erasure is', async () => {
    const clickId = await clicked(brand);
    await sold(brand, { transaction_id: fresh('old'), click_id: clickId });
    const old = after(16 * 60);
    expect(await erase(clickId, old, { isLeftAlone: true })).toMatchObject({
      status: 403,
      body: platformError(403, 'Sign in again for this'),
    });
    expect(await due()).toEqual([]);
    await erase(clickId);
    expect((await erase(clickId, old, { isLeftAlone: true })).body.data).toEqual({
      click_id: clickId,
      status: 'erasing',
      sales: 1,
    });
    await run(60);
    expect((await erase(clickId, old, { isLeftAlone: true })).body.data.status).toBe('erased');
  });

  it('is accepted for unlinked customers, and answers 404 for unknown ones', async () => {
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId, customer_key: fresh('unlinked') });
    await brand.owner.post(`${brand.path}/customers/${clickId}/unlink`, { reason: 'Asked' });
    expect((await erase(clickId)).body.data).toEqual({ click_id: clickId, status: 'erasing', sales: 0 });
    const other = await world.brand();
    const elsewhere = await clicked(other);
    for (const id of [elsewhere, 'clk_nobody', '%00']) {
      expect(await erase(id)).toMatchObject({ status: 404, body: platformError(404, 'Customer not found') });
    }
    await run(60);
  });

  it.each([undefined, '', 'clk_other', 7])('is refused with 400 if `confirm` is %j', async (confirm) => {
    const clickId = await clicked(brand);
    const reply = await brand.owner.post(`${brand.path}/customers/${clickId}/erase`, { confirm });
    expect(reply).toMatchObject({ status: 400, body: platformError(400, 'confirm must be the click id') });
    expect(await due()).toEqual([]);
  });

  it('is refused with 403 for members', async () => {
    const clickId = await clicked(brand);
    const member = dashboard((await memberOf(world, { id: brand.program.workspaceId })).token);
    const stranger = dashboard((await signedInAs(world)).token);
    expect((await erase(clickId, NOW, { owner: member })).status).toBe(403);
    expect((await erase(clickId, NOW, { owner: stranger })).status).toBe(403);
    expect((await member.get(`${brand.path}/customers/${clickId}/export`)).status).toBe(403);
    expect(await due()).toEqual([]);
  });

  it('erases once if it is sent twice in parallel', async () => {
    const clickId = await clicked(brand);
    await sold(brand, { transaction_id: fresh('twice'), click_id: clickId });
    const replies = await Promise.all([erase(clickId), erase(clickId)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect((await actions()).filter(([, id]: [string, string]) => id === clickId)).toHaveLength(1);
    await run(60);
    expect(await due()).toEqual([]);
  });

  it('finds, when sent again after a lost reply, that the erasure has already started', async () => {
    const clickId = await clicked(brand);
    await sold(brand, { transaction_id: fresh('lost'), click_id: clickId });
    await failing('write', replyLost, () => erase(clickId));
    expect((await erase(clickId)).body.data).toEqual({ click_id: clickId, status: 'erasing', sales: 1 });
    expect((await actions()).filter(([, id]: [string, string]) => id === clickId)).toHaveLength(1);
    await run(60);
  });
});

describe('the erasure of a customer’s data', () => {
  it('also removes the data of a sale that found the customer just before the erasure', async () => {
    const name = named();
    const { clickId, key } = await livedThrough(brand, name);
    const body = { transaction_id: `late-${name}1`, amount_cents: 4900, customer_key: key };
    const reply = await failing(
      'write',
      overtakenBy(() => erase(clickId)),
      () => send(sale, { key: brand.key, body }),
    );
    expect(reply.status).toBe(200);
    await run(60);
    expect(await tracesOf(world, name)).toEqual([]);
    expect((await erase(clickId)).body.data).toEqual({ click_id: clickId, status: 'erased', sales: 4 });
  });

  it('also removes the e-mail address that a lead adds between the read and the write', async () => {
    const name = named();
    const body = { click_id: await clicked(brand), customer_key: `${name}-key` };
    await settledLead(brand, body);
    const email = `${name}@people.test`;
    const reply = await failing(
      'write',
      overtakenBy(() => send(lead, { key: brand.key, body: { ...body, email } })),
      () => erase(body.click_id),
    );
    expect(reply.status).toBe(200);
    await run(60);
    expect((await allItems(world)).filter(({ pk }) => String(pk).startsWith('EMAIL#'))).toEqual([]);
    expect((await brand.owner.get(`${brand.path}/search?q=${email}`)).body.data).toEqual([]);
  });

  it('does not affect later sales if the same person clicks again: those sales belong to the new click', async () => {
    const name = named();
    const { clickId, key } = await livedThrough(brand, name);
    await erase(clickId);
    await run(60);
    const visit = { affiliate_url: brand.affiliateUrl, existing_click_id: clickId };
    const again = (await send(click, { body: visit })).body.click_id;
    expect(again).not.toBe(clickId);
    await settledLead(brand, { click_id: again, customer_key: key });
    const later = await sold(brand, { transaction_id: `${name}-again`, customer_key: key });
    expect(later.commission_id).toEqual(expect.any(Number));
    expect((await erase(clickId)).body.data).toEqual({ click_id: clickId, status: 'erased', sales: 3 });
  });

  it('leaves later payments that name the erased customer’s click unrecorded', async () => {
    const name = named();
    const { clickId } = await livedThrough(brand, name);
    await erase(clickId);
    await run(60);
    await deliver(brand, paid(fresh('after'), { metadata: { service_click_id: clickId } }));
    const payments = (await brand.owner.get(`${brand.path}/processor/payments`)).body.data;
    expect(payments[0]).toMatchObject({ reason: 'unknown_click' });
  });
});

describe('the scheduled function that erases customers’ data', () => {
  it.each(['write', 'second write', 'query', 'read'] as const)(
    'completes an erasure whose first run failed at a %s',
    async (call) => {
      const name = named();
      const { clickId } = await livedThrough(brand, name);
      await erase(clickId);
      const failed = failing(call, refused('InternalServerError'), () => resumeErasures(world.deps(after(60))));
      await expect(failed).rejects.toThrow('InternalServerError');
      expect((await erase(clickId)).body.data.status).toBe('erasing');
      await run(120);
      expect(await tracesOf(world, name)).toEqual([]);
      expect((await erase(clickId)).body.data.status).toBe('erased');
    },
  );

  it('continues where a run that ran out of time stopped', async () => {
    const name = named();
    const { clickId } = await livedThrough(brand, name);
    await erase(clickId);
    // Reads one page, as a run whose time is over after it.
    let asked = 0;
    const share = {
      get aborted() {
        return asked++ > 0;
      },
    } as AbortSignal;
    await resumeErasures(world.deps(after(60)), share);
    expect(await due()).toMatchObject([{ clickId, position: { part: expect.any(Number) } }]);
    await run(120);
    expect(await due()).toEqual([]);
    expect(await tracesOf(world, name)).toEqual([]);
  });

  it('does nothing if no time is left', async () => {
    const clickId = await clicked(brand);
    await sold(brand, { transaction_id: fresh('ended'), click_id: clickId });
    await erase(clickId);
    await resumeErasures(world.deps(after(60)), ended());
    expect(await due()).toMatchObject([{ clickId }]);
    await run(120);
    expect(await due()).toEqual([]);
  });

  it('erases several customers in one run', async () => {
    const names = [named(), named(), named()];
    const lives = [];
    for (const name of names) lives.push(await livedThrough(brand, name));
    for (const { clickId } of lives) await erase(clickId);
    await run(60);
    expect(await due()).toEqual([]);
    for (const name of names) expect(await tracesOf(world, name)).toEqual([]);
  });

  it('can run twice in parallel', async () => {
    const name = named();
    const { clickId } = await livedThrough(brand, name);
    await erase(clickId);
    await Promise.all([run(60), run(60)]);
    expect(await due()).toEqual([]);
    expect(await tracesOf(world, name)).toEqual([]);
  });

  it('repeats the mark that a customer is erased if a restore lost it, and gives up if a restore lost the customer', async () => {
    const name = named();
    const { clickId } = await livedThrough(brand, name);
    await erase(clickId);
    const { table } = world.deps();
    const key = { pk: `CUSTOMER#${clickId}`, sk: 'CUSTOMER' };
    await table.update(key, { set: { erasedAt: undefined, visit: { pageUrl: `https://brand.test/${name}-page` } } });
    await table.put(
      { pk: 'DUE_ERASURES', sk: 'clk_lost' },
      { clickId: 'clk_lost', programId: brand.program.id, erasedAt: NOW.toISOString() },
    );
    await run(60);
    expect(await due()).toMatchObject([{ clickId, erasedAt: after(60).toISOString() }]);
    await run(120);
    expect(await due()).toEqual([]);
    expect(await tracesOf(world, name)).toEqual([]);
  });
});

describe('the export of a customer’s data', () => {
  it('contains every item in which the person’s data is stored, and is recorded in the audit list', async () => {
    const name = named();
    const { clickId, transactions } = await livedThrough(brand, name);
    const reply = await brand.owner.get(`${brand.path}/customers/${clickId}/export`);
    expect(reply).toMatchObject({
      status: 200,
      headers: {
        'Content-Type': 'application/json',
        'Content-Disposition': `attachment; filename="customer-${clickId}.json"`,
      },
      body: { exported_at: NOW.toISOString(), program_id: brand.program.id, click_id: clickId },
    });
    const kinds = reply.body.records.map(({ record }: { record: string }) => record);
    expect(kinds.toSorted()).toEqual(
      'click commission commission commission customer lead payer refund sale sale sale'.split(' '),
    );
    const told = JSON.stringify(reply.body);
    for (const part of ['page', 'title', 'referrer', 'session', 'browser', 'screen', 'zone', 'key', 'item', 'event']) {
      expect(told).toContain(`${name}-${part}`);
    }
    for (const each of [...transactions, `${name} asked`, `cus_${name}x`]) expect(told).toContain(each);
    expect(told).not.toMatch(/"(?:pk|sk|gsi\w+|expires_at)"/);
    expect(await actions()).toContainEqual(['customer.exported', clickId]);
  });

  it('is a file in several parts if it is too large for a reply', async () => {
    const clickId = await clicked(brand);
    for (let n = 0; n < 60; n++) await sold(brand, { transaction_id: fresh('many'), click_id: clickId });
    const deps = { ...world.deps(), actor: actorOf({ id: 1, name: 'owner' }) };
    const customer = (await findRecordedCustomer(deps.table, clickId))!;
    const asked = { files: exportFiles(deps), spelling: customerJson(customer, NOW) };
    const bounds = { commissions: 500, partBytes: 1_000, replyBytes: 1 };
    let made = await exportCustomer(deps, brand.program, customer, asked, bounds);
    let requests = 1;
    for (; 'cursor' in made; requests++) {
      made = await exportCustomer(deps, brand.program, customer, { ...asked, cursor: made.cursor }, bounds);
    }
    expect(requests).toBeGreaterThan(1);
    const { records } = JSON.parse(await readFile(join(folder, (made as { file: string }).file), 'utf8'));
    expect(records).toHaveLength(1 + 2 * 60);
    expect((await actions()).filter(([, id]: [string, string]) => id === clickId)).toEqual([
      ['customer.exported', clickId],
    ]);
  });

  it('is available for an erased customer, and then contains no personal data', async () => {
    const name = named();
    const { clickId } = await livedThrough(brand, name);
    await erase(clickId);
    await run(60);
    const reply = await brand.owner.get(`${brand.path}/customers/${clickId}/export`);
    const told = JSON.stringify(reply.body).replaceAll(new RegExp(`(?:cs_)?${name}[123]`, 'g'), '');
    expect([reply.status, told.includes(name)]).toEqual([200, false]);
  });

  it('answers 404 for a customer of another program, and 400 for an invalid cursor', async () => {
    const other = await world.brand();
    const elsewhere = await clicked(other);
    expect((await brand.owner.get(`${brand.path}/customers/${elsewhere}/export`)).status).toBe(404);
    const own = await clicked(brand);
    expect((await brand.owner.get(`${brand.path}/customers/${own}/export?cursor=x`)).status).toBe(400);
  });
});
