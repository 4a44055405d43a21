import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fileLines, type PayoutFile } from '#lib/apps/dashboard/payouts/files/file-lines.ts';

const PATH = '/programs/1/payouts/9';
const task = { onCount: () => {}, signal: new AbortController().signal };
const wise: PayoutFile = {
  format: 'wise',
  currency: 'USD',
  lines: 3,
  amount_cents: 300,
  parts: 2,
  first_partner_ids: [1, 3],
};

/** What the browser tab has stored. */
let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

const line = (partner: number, method = 'wise') => ({
  id: `${partner}-USD`,
  number: `9-${partner}-USD`,
  partner_id: partner,
  method,
  masked: 'a***@b.co',
});

/** The service, which says which files and recorded lines there are now. */
function serviceWith(file: PayoutFile, lines: readonly ReturnType<typeof line>[]) {
  const service = {
    get: async () => ({ files: [file], without_file: [{ id: '4-USD', reason: 'held' }] }),
    answer: async () => ({ data: lines, meta: { next_cursor: null } }),
  };
  return fileLines(service as unknown as Parameters<typeof fileLines>[0], PATH);
}

async function numbersToMark(of: ReturnType<typeof fileLines>, file: PayoutFile) {
  const { rows } = await of.toMark(file, task);
  return rows.map(({ number }) => number);
}

const lines = [line(1), line(2), line(3), line(4), line(5, 'paypal'), line(6)];

it('of a file that does not name its lines, only those of the downloaded parts are marked as sent', async () => {
  const files = serviceWith(wise, lines);
  expect(files.isDownloaded(wise)).toBe(false);
  expect(await numbersToMark(files, wise)).toEqual(['9-1-USD', '9-2-USD', '9-3-USD', '9-6-USD']);
  await files.keep(wise, 1, new Blob());
  expect(files.isDownloaded(wise)).toBe(true);
  expect(await numbersToMark(files, wise)).toEqual(['9-1-USD', '9-2-USD']);
  await files.keep(wise, 2, new Blob());
  expect(await numbersToMark(files, wise)).toEqual(['9-1-USD', '9-2-USD', '9-3-USD', '9-6-USD']);
});

it('the lines of all downloaded parts are marked as sent, even if the file is divided differently afterwards', async () => {
  const before = serviceWith(wise, lines);
  await before.keep(wise, 1, new Blob());
  await before.keep(wise, 2, new Blob());
  const { first_partner_ids: _, ...whole } = { ...wise, parts: 1 };
  const after = serviceWith(whole, [line(1), line(3), line(6), line(7)]);
  expect(after.isDividedAnew(wise)).toBe(false);
  expect(after.isDividedAnew(whole)).toBe(true);
  expect(await numbersToMark(after, whole)).toEqual(['9-1-USD', '9-3-USD', '9-6-USD']);
  await after.keep(whole, 1, new Blob());
  expect(after.isDividedAnew(whole)).toBe(false);
  expect(await numbersToMark(after, whole)).toEqual(['9-1-USD', '9-3-USD', '9-6-USD', '9-7-USD']);
});

it('of a file that names its lines, those in the downloaded content are marked as sent', async () => {
  const paypal: PayoutFile = { format: 'paypal', currency: 'USD', lines: 1, amount_cents: 100, parts: 1 };
  const files = serviceWith(paypal, lines);
  await files.keep(paypal, 1, new Blob(['a@b.co,1.00,USD,9-5-USD,Acme: payout 9,PAYPAL\r\n']));
  expect(await numbersToMark(files, paypal)).toEqual(['9-5-USD']);
});
