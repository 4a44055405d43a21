/**
 * The service's address as requests are built on it.
 * @returns without a slash at its end; undefined for a text that is no plain http or https address
 */
export function baseUrlOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text);
  const isPlain = /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
  return isPlain ? `${origin}${pathname}`.replace(/\/+$/, '') : undefined;
}
