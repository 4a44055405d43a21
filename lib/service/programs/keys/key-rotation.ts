import { DAY_MS } from '#lib/service/ground/values/day.ts';
import type { ProgramKey } from '#lib/service/ground/addresses/credential.ts';

/**
 * State of a program key: `marked` means that it must be replaced before a deadline. `retired` is not stored: it means
 * that the deadline is over.
 */
export type KeyState = 'active' | 'marked' | 'retired';

export interface Rotation {
  readonly markedAt: Date;
  readonly deadline: Date;
}

export function rotationOf(key: ProgramKey): Rotation | undefined {
  if (!key.rotationMarkedAt || !key.rotationDeadline) return undefined;
  return { markedAt: new Date(key.rotationMarkedAt), deadline: new Date(key.rotationDeadline) };
}

export function keyStateAt(key: ProgramKey, now: Date): KeyState {
  const rotation = rotationOf(key);
  if (!rotation) return 'active';
  return now >= rotation.deadline ? 'retired' : 'marked';
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

/** The warning for a key that is marked for rotation. */
export const rotationWarning = ({ deadline }: Rotation) => ({
  code: 'api_key_rotation_required',
  message: `This API key must be replaced by ${dayOf(deadline)}.`,
  hint: 'A workspace owner can create a new key in Settings → API Key. Then update SERVICE_API_KEY on your server.',
});

/** The message about a retired key. */
export const retirementNotice = ({ deadline }: Rotation) => ({
  message: `This API key was retired on ${dayOf(deadline)}.`,
  hint: 'A workspace owner must create a new key in Settings → API Key.',
});

const REMINDER_DAYS = [7, 1];

/** Returns when owners are reminded of a rotation deadline: some days before it. Past times are left out. */
export const rotationReminders = (now: Date, deadline: Date): Date[] =>
  REMINDER_DAYS.map((days) => new Date(deadline.getTime() - days * DAY_MS)).filter((at) => at > now);
