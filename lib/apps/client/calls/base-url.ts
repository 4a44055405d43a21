/**
 * Checks the address of the service and removes a trailing slash, so that paths can be appended.
 * @returns undefined if the text is not a plain http or https address
 */
export function baseUrlOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text);
  const isPlain = /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
  return isPlain ? `${origin}${pathname}`.replace(/\/+$/, '') : undefined;
}
