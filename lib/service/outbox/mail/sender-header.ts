/** Maximum length of a `From` header in Amazon SES, including the encoded name. */
const LONGEST_SENDER = 320;
/**
 * RFC 2047 allows 75 characters for an encoded word, 12 of which are `=?UTF-8?B?` and `?=`. 45 bytes take 60 characters
 * in Base64.
 */
const BYTES_OF_WORD = 45;

/**
 * The `From` header of a mail that a program sends through this installation, for example
 * `"Acme via Referrals" <mail@acme.com>`. A name that would make it too long is shortened.
 * @param name without control characters
 */
export function senderHeader(name: string, productName: string, address: string): string {
  const letters = [...new Intl.Segmenter('en').segment(name)].map(({ segment }) => segment);
  for (let length = letters.length; length > 0; length -= 1) {
    const shown = length < letters.length ? `${letters.slice(0, length).join('').trimEnd()}…` : name;
    const header = `${phraseOf(`${shown} via ${productName}`)} <${address}>`;
    if (header.length <= LONGEST_SENDER) return header;
  }
  return `${phraseOf(productName)} <${address}>`;
}

/**
 * A display name for the header: a quoted string (RFC 5322) or, if the name contains non-ASCII characters, encoded
 * words (RFC 2047). A name that contains `=?` is encoded too, because some mail programs decode encoded words inside a
 * quoted string.
 */
const phraseOf = (name: string): string =>
  /^[ -~]*$/.test(name) && !name.includes('=?')
    ? `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`
    : encodedParts(name)
        .map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`)
        .join(' ');

/**
 * Splits a name into parts for encoded words. It splits only between characters, because each encoded word must contain
 * complete characters.
 */
function encodedParts(name: string): string[] {
  const parts = [''];
  for (const character of name) {
    const longer = parts.at(-1)! + character;
    if (Buffer.byteLength(longer) <= BYTES_OF_WORD) parts[parts.length - 1] = longer;
    else parts.push(character);
  }
  return parts;
}
