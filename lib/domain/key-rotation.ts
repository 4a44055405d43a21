import type { ProgramKey } from '#lib/domain/credential.ts';

/** State of a program key: `retired` is not stored, it is the deadline having come. */
export type KeyState = 'active' | 'marked' | 'retired';

interface Rotation {
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

/** The entry of `warnings` while the key is marked. */
export const rotationWarning = ({ deadline }: Rotation, docsUrl: string) => ({
  code: 'api_key_rotation_required',
  message: `This API key must be replaced by ${dayOf(deadline)}.`,
  hint: 'A workspace owner can create a new key in Settings → API Key. Then update SERVICE_API_KEY on your server.',
  rotate_by: deadline.toISOString(),
  docs_url: docsUrl,
});

/** What the holder of a retired key is told. */
export const retirementNotice = ({ deadline }: Rotation, docsUrl: string) => ({
  message: `This API key was retired on ${dayOf(deadline)}.`,
  hint: 'A workspace owner must create a new key in Settings → API Key.',
  docsUrl,
});

/** Headers on every answer to a marked or retired key: RFC 9745, RFC 8594, RFC 8288. */
export const rotationHeaders = ({ markedAt, deadline }: Rotation, docsUrl: string): Record<string, string> => ({
  Deprecation: `@${Math.floor(markedAt.getTime() / 1000)}`,
  Sunset: deadline.toUTCString(),
  Link: `<${docsUrl}#api_key_rotation_required>; rel="deprecation"`,
});
