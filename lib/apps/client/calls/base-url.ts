/**
 * The service's address as a base for request URLs.
 * @returns the address without a trailing slash; undefined if the text is not a plain http or https address
 */
export function baseUrlOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text);
  const isPlain = /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
  return isPlain ? `${origin}${pathname}`.replace(/\/+$/, '') : undefined;
}
