import { describe, expect, it } from 'vitest';
import { handler } from '#functions/track/sale.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// `occurred_at`: ISO 8601 with offset, a real date, within the last 30 days, at most 5 minutes ahead.

const world = openedWorld();

let sales = 0;
async function sell(occurredAt: string, now: string) {
  const { key } = await world.brand();
  const id = `sale_${++sales}`;
  const body = {
    transaction_id: id,
    amount_cents: 1,
    occurred_at: occurredAt,
    additional_data: { test_mode: true },
  };
  const reply = await send(handler, { key, body, at: new Date(now) });
  const [sale] = await world.items(`SALE#${id}`);
  return { reply, storedAs: sale?.occurredAt };
}

const now = '2026-11-20T15:00:00.000Z';

describe('taken', () => {
  it.each([
    ['now', '2026-11-20T15:00:00Z', '2026-11-20T15:00:00.000Z'],
    ['30 days ago exactly', '2026-10-21T15:00:00.000Z', '2026-10-21T15:00:00.000Z'],
    ['5 minutes ahead exactly', '2026-11-20T15:05:00.000Z', '2026-11-20T15:05:00.000Z'],
    ['an offset east', '2026-11-20T20:30:00+05:30', '2026-11-20T15:00:00.000Z'],
    ['an offset west, over midnight', '2026-11-19T23:30:00-12:00', '2026-11-20T11:30:00.000Z'],
    ['30 days ago by its offset only', '2026-10-21T13:00:00-02:00', '2026-10-21T15:00:00.000Z'],
    ['5 minutes ahead by its offset only', '2026-11-21T05:05:00+14:00', '2026-11-20T15:05:00.000Z'],
    ['offset zero, written out', '2026-11-20T15:00:00-00:00', '2026-11-20T15:00:00.000Z'],
    ['without seconds', '2026-11-20T14:59Z', '2026-11-20T14:59:00.000Z'],
    ['with a tenth', '2026-11-20T14:59:59.5Z', '2026-11-20T14:59:59.500Z'],
    ['with microseconds', '2026-11-20T14:59:59.123456Z', '2026-11-20T14:59:59.123Z'],
    ['the last day of a 31-day month', '2026-10-31T00:00:00Z', '2026-10-31T00:00:00.000Z'],
  ])('%s: %s', async (_, occurredAt, storedAs) => {
    const sold = await sell(occurredAt, now);
    expect(sold.reply.status).toBe(200);
    expect(sold.storedAs).toBe(storedAs);
  });

  it.each([
    ['2028-02-29T12:00:00Z', '2028-03-01T00:00:00Z'],
    ['2000-02-29T12:00:00Z', '2000-03-01T00:00:00Z'],
  ])('the leap day %s', async (occurredAt, at) => {
    expect((await sell(occurredAt, at)).storedAs).toBe(new Date(occurredAt).toISOString());
  });
});

describe('refused', () => {
  const message = 'occurred_at must be an ISO 8601 time within the last 30 days';
  const refused = { reply: { body: codedError(400, 'invalid_request', message) }, storedAs: undefined };

  it.each([
    ['1 ms older than 30 days', '2026-10-21T14:59:59.999Z'],
    ['1 ms more than 5 minutes ahead', '2026-11-20T15:05:00.001Z'],
    ['too old by its offset only', '2026-10-21T15:00:00+00:01'],
    ['ahead by its offset only', '2026-11-20T15:00:00-00:06'],
    ['without an offset', '2026-11-20T15:00:00'],
    ['a date alone', '2026-11-20'],
    ['an offset without colon', '2026-11-20T15:00:00+0000'],
    ['an offset of hours alone', '2026-11-20T15:00:00+00'],
    ['an offset that does not exist', '2026-11-20T15:00:00+24:00'],
    ['an offset of 60 minutes', '2026-11-20T14:00:00-00:60'],
    ['day 31 of a 30-day month', '2026-11-31T00:00:00Z'],
    ['day 0', '2026-11-00T00:00:00Z'],
    ['month 0', '2026-00-20T00:00:00Z'],
    ['month 13', '2026-13-20T00:00:00Z'],
    ['hour 24', '2026-11-19T24:00:00Z'],
    ['minute 60', '2026-11-20T14:60:00Z'],
    ['second 60', '2026-11-20T14:59:60Z'],
    ['a space for the T', '2026-11-20 15:00:00Z'],
    ['spaces around', ' 2026-11-20T15:00:00Z '],
    ['a line break at the end', '2026-11-20T15:00:00Z\n'],
    ['two digits for the year', '26-11-20T15:00:00Z'],
    ['an expanded year', '+002026-11-20T15:00:00Z'],
    ['another language', 'Fri, 20 Nov 2026 15:00:00 GMT'],
    ['unix seconds', '1795186800'],
  ])('%s: %j', async (_, occurredAt) => {
    expect(await sell(occurredAt, now)).toMatchObject(refused);
  });

  it.each([
    ['2026-02-30T00:00:00Z', '2026-03-02T00:00:00Z'],
    ['2026-02-29T00:00:00Z', '2026-03-01T12:00:00Z'],
    ['2100-02-29T00:00:00Z', '2100-03-01T12:00:00Z'],
    ['2028-02-30T00:00:00Z', '2028-03-01T12:00:00Z'],
  ])('%s, a day that does not exist', async (occurredAt, at) => {
    expect(await sell(occurredAt, at)).toMatchObject(refused);
  });
});
