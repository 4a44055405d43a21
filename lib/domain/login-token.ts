/** What a login token was made for. */
export type LoginKind = 'cli' | 'dashboard';

/** How a person recognizes one of their sign-ins. */
export interface Device {
  readonly kind: LoginKind;
  /** Without its last part. */
  readonly address?: string;
}

/** A network address without the part that identifies a household: `1.2.3.x`, `2001:db8:7:x`. */
export function coarseAddress(address: string): string | undefined {
  const v4 = /(?:^|:)(\d+\.\d+\.\d+)\.\d+$/.exec(address)?.[1];
  if (v4) return `${v4}.x`;
  if (!address.includes(':')) return undefined;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  // `::` replaces the missing zeros.
  const first = tail === undefined ? groups : [...groups, '0', '0', '0'];
  return `${first.slice(0, 3).join(':')}:x`;
}
