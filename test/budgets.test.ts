import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rooms } from '#rooms.ts';

// Budgets of the code's size. A change that exceeds one either cuts something or raises the number here, as a decision.

const files = globSync('{bin,functions,infra,lib,test}/**/*.{ts,tsx}').map((file) => file.replaceAll('\\', '/'));
const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;

it('a folder has at most 15 files', () => {
  const folders = Map.groupBy(files, (file) => dirname(file));
  expect([...folders].filter(([, inside]) => inside.length > 15).map(([folder]) => folder)).toEqual([]);
});

/** Files that are long lists, which are read row by row. */
const lists: Readonly<Record<string, number>> = {
  'infra/aws/settings.ts': 260,
  'infra/routes.ts': 420,
  'lib/apps/dashboard/error-docs.ts': 300,
  'lib/service/earnings/commissions/commission-lifecycle.ts': 265,
  'lib/service/ground/config/config.ts': 270,
  'lib/service/ground/table/keys.ts': 510,
  'lib/service/ground/values/refusals.ts': 400,
  'lib/service/operations/operator/commands.ts': 305,
  'lib/service/outbox/facts/facts-of.ts': 270,
  'lib/service/outbox/mail/mail-content.ts': 330,
  'lib/wire/programs/dashboard-programs-operations.ts': 340,
  'lib/wire/programs/settings/program-settings-request.ts': 280,
  'lib/wire/reports/dashboard-reports-operations.ts': 310,
};
const MOST_LINES = 250;

it('a file outside of test has at most 250 lines, except for files that are lists', () => {
  const product = files.filter((file) => !file.startsWith('test/'));
  expect(product.filter((file) => linesOf(file) > (lists[file] ?? MOST_LINES))).toEqual([]);
});

describe('the top-level folders of lib/service', () => {
  /** The maximum number of lines of code of each room. */
  const most: Readonly<Record<(typeof rooms)[number], number>> = {
    ground: 5_950,
    people: 2_610,
    programs: 8_100,
    traffic: 1_650,
    earnings: 5_460,
    conversions: 9_110,
    reports: 5_500,
    outbox: 4_610,
    operations: 2_760,
    http: 5_800,
  };

  it.each(rooms)('%s has no more lines of code than its budget', (room) => {
    const inside = files.filter((file) => file.startsWith(`lib/service/${room}/`));
    expect(inside.reduce((sum, file) => sum + linesOf(file), 0)).toBeLessThanOrEqual(most[room]);
  });

  it('have at most 44 import dependencies between them', () => {
    const arrows = new Set(
      files.flatMap((file) => {
        const [, room] = /^lib\/service\/([^/]+)\//.exec(file) ?? [];
        const known = readFileSync(file, 'utf8').matchAll(/'#lib\/service\/([^/']+)\//g);
        return room === undefined
          ? []
          : [...known].filter(([, other]) => other !== room).map(([, other]) => `${room} ${other}`);
      }),
    );
    expect(arrows.size).toBeLessThanOrEqual(44);
  });
});
