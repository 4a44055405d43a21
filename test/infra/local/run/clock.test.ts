import { expect, it, vi } from 'vitest';
import { createClock } from '#infra/local/run/clock.ts';

function clockAt(realTime: number) {
  const real = { now: realTime };
  const keepOffset = vi.fn<(offsetMs: number) => Promise<void>>(async () => {});
  return { real, keepOffset, clock: createClock(keepOffset, () => real.now) };
}

it('the clock of a local run has the real time at first', () => {
  expect(clockAt(1_000).clock.now()).toBe(1_000);
});

it('the clock of a local run continues from the time it was set to', async () => {
  const { clock, real } = clockAt(1_000);
  await clock.set(5_000);
  real.now += 7;
  expect(clock.now()).toBe(5_007);
});

it('the clock of a local run can be set back', async () => {
  const { clock } = clockAt(1_000);
  await clock.set(400);
  expect(clock.now()).toBe(400);
});

it('the clock of a local run rounds to whole milliseconds', async () => {
  const { clock } = clockAt(1_000);
  await clock.set(1_234.5678);
  expect(clock.now()).toBe(1_235);
});

it('the clock of a local run returns to the real time', async () => {
  const { clock } = clockAt(1_000);
  await clock.set(5_000);
  await clock.reset();
  expect(clock.now()).toBe(1_000);
});

it('the clock of a local run adds up two moves made in parallel', async () => {
  const { clock } = clockAt(1_000);
  await Promise.all([clock.set(clock.now() + 10), clock.set(clock.now() + 10)]);
  expect(clock.now()).toBe(1_020);
});

it('the clock of a local run stores each new offset', async () => {
  const { clock, keepOffset } = clockAt(1_000);
  await clock.set(5_000);
  await clock.reset();
  expect(keepOffset.mock.calls).toEqual([[4_000], [0]]);
});
