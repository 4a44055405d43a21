import { beforeEach, describe, expect, it } from 'vitest';
import type { Log } from '#lib/service/ground/effects/log.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { resumeMails } from '#lib/service/outbox/mail/resume-mails.ts';
import { wakeDueEndpoints } from '#lib/service/outbox/deliveries/wake-due-endpoints.ts';
import { wakeEndpoint } from '#lib/service/outbox/deliveries/wake-endpoint.ts';
import { openMailWorld } from '#test/support/outbox/mails.ts';
import { NOW } from '#test/support/callers/request.ts';

// Tests of the alarms for overdue work.

const { world, mailbox } = await openMailWorld();

let lines: unknown[][] = [];
const write = (...parts: unknown[]) => void lines.push(parts);
const log: Log = { info: write, warn: write, error: write };
beforeEach(() => {
  lines = [];
});
const depsAt = (minutes: number) => ({ ...world.deps(new Date(NOW.getTime() + minutes * 60_000)), log });

describe('webhook deliveries that no sender takes', () => {
  it('are reported as late after ten minutes, all in one log line', async () => {
    for (const endpointId of [1, 2]) await wakeEndpoint(depsAt(0), { endpointId, programId: 1 });
    await wakeEndpoint(depsAt(5), { endpointId: 3, programId: 1 });
    await wakeDueEndpoints(depsAt(9));
    expect(lines).toEqual([]);
    await wakeDueEndpoints(depsAt(10));
    expect(lines).toEqual([['deliveries_late', { endpoints: 2 }]]);
  });
});

describe('unsent mails', () => {
  it('are reported as late while SES limits the sending rate', async () => {
    const fact = { kind: 'partner_invited', fact: '1', data: { programId: 1, programName: 'Acme' } } as const;
    const { table } = world.deps();
    await table.transact(mailWrites({ ...fact, to: { email: 'ana@partners.test' }, now: NOW }));
    mailbox.answer(() => ({ status: 429, name: 'TooManyRequestsException' }));
    await resumeMails(depsAt(15));
    expect(lines).toEqual([['mails_delayed', new Error('Amazon SES takes no more mails for the moment')]]);
  });
});
