/**
 * A link's address in one line. It is shown without `https://`, to leave room for the link's name, but a selection
 * copies it whole.
 */
export function LinkAddress({ url }: { readonly url: string }) {
  const { protocol } = new URL(url);
  return (
    <span class="link-address" title={url}>
      <span class="visually-hidden">{protocol}//</span>
      {url.slice(`${protocol}//`.length)}
    </span>
  );
}
