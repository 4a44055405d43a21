import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Program } from '#lib/service/programs/program/program.ts';
import {
  chainNotRun,
  type IntegrationFacts,
  readinessOf,
  type Step,
  type Verdict,
} from '#lib/service/reports/figures/readiness.ts';

const program = { name: 'Acme', domain: 'acme.test', commissionType: 'percent', commissionRate: 20 } as Program;
const nothing: IntegrationFacts = {
  program,
  lastRealAt: {},
  keyedTests: new Set(),
  chain: chainNotRun,
  hasChainRows: false,
};
const at = '2026-11-20T15:00:00.000Z';
const attributed = { click: 'attributed', lead: 'attributed', sale: 'attributed' } as const;

describe('the check whether a program can pay partners (gate payout of the readiness check)', () => {
  it.each([
    ['manual', {}],
    [
      'manual',
      { lastRealAt: { click: at, lead: at }, keyedTests: new Set<Step>(['click', 'lead']), chain: attributed },
    ],
    ['s2s', { keyedTests: new Set<Step>(['sale']) }],
    ['s2s', { lastRealAt: { sale: at }, lastApiSaleAt: at }],
    ['manual', { lastRealAt: { sale: at } }],
    ['stripe', { program: { ...program, processor: { connectedAt: at, accountId: 'acct_1' } } }],
    ['stripe', { program: { ...program, processor: { connectedAt: at, signingSecrets: [{ sealed: 'x' }] } } }],
    ['s2s', { program: { ...program, processor: { connectedAt: at, accountId: undefined } }, lastApiSaleAt: at }],
  ])('has the mode %s, and passes in any mode but manual, if the program has %j', (mode, facts) => {
    const { payoutMode, passes } = readinessOf({ ...nothing, ...facts });
    expect(payoutMode).toBe(mode);
    expect(passes.payout).toBe(mode !== 'manual');
  });
});

describe('the check with a test sale (gate live of the readiness check)', () => {
  it.each(['wrong_partner', 'unattributed', 'pending'] as const)('fails if the test sale is %s', (sale) => {
    expect(readinessOf({ ...nothing, chain: { ...attributed, sale } }).passes.live).toBe(false);
  });
});

const step = fc.constantFrom<Step>('click', 'lead', 'sale');
const verdict = fc.constantFrom<Verdict>('attributed', 'wrong_partner', 'unattributed', 'pending');
const anyFacts: fc.Arbitrary<IntegrationFacts> = fc.record({
  program: fc
    .record({
      name: fc.constantFrom('', 'Acme'),
      domain: fc.constantFrom('', 'acme.test'),
      commissionType: fc.constantFrom('percent', 'recurring_fixed', 'barter'),
      commissionRate: fc.constantFrom(-1, 0, 0.0001, 20),
    })
    .map((settings) => settings as Program),
  isProcessorConnected: fc.boolean(),
  lastRealAt: fc.uniqueArray(step).map((kinds) => Object.fromEntries(kinds.map((kind) => [kind, at]))),
  keyedTests: fc.uniqueArray(step).map((kinds) => new Set(kinds)),
  hasChainRows: fc.boolean(),
  chain: fc.record({ click: verdict, lead: verdict, sale: verdict }),
});

describe('the readiness of a program, for any facts', () => {
  it('has as blocker the first of the gates profile, economics, tracking and live that fails, and never the gate payout', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { passes, blocker } = readinessOf(facts);
        const gates = ['profile', 'economics', 'tracking', 'live'] as const;
        const first = gates.findIndex((gate) => !passes[gate]);
        expect(blocker).toBe(first === -1 ? null : gates[first]);
      }),
    );
  });

  it('is draft, configuring or ready depending on its blocker, and verified only without a blocker', () => {
    const states = { profile: 'draft', economics: 'configuring', tracking: 'configuring', live: 'ready' } as const;
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { state, blocker, isVerified } = readinessOf(facts);
        const hasReal = Object.keys(facts.lastRealAt).length > 0;
        const verified = hasReal ? 'live_verified' : 'integration_verified';
        expect(state).toBe(blocker === null ? verified : states[blocker]);
        expect(isVerified).toBe(state === 'integration_verified' || state === 'live_verified');
      }),
    );
  });

  it('shows a step as complete when a real event, or a test event sent with the program key, has arrived', () => {
    fc.assert(
      fc.property(anyFacts, step, (facts, kind) => {
        const { complete, passes } = readinessOf(facts);
        expect(complete[kind]).toBe(facts.lastRealAt[kind] !== undefined || facts.keyedTests.has(kind));
        expect(passes.tracking).toBe(Object.values(complete).includes(true) || facts.hasChainRows);
      }),
    );
  });

  it('still passes each gate that it passed before when another event arrives', () => {
    fc.assert(
      fc.property(anyFacts, step, (facts, kind) => {
        const before = readinessOf(facts).passes;
        const after = readinessOf({ ...facts, lastRealAt: { ...facts.lastRealAt, [kind]: at } }).passes;
        for (const gate of ['profile', 'economics', 'payout', 'tracking', 'live'] as const) {
          expect(after[gate]).toBe(before[gate] || after[gate]);
        }
      }),
    );
  });
});
