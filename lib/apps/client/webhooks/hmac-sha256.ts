// This implementation is synchronous. With the asynchronous WebCrypto, a verification whose `await` someone forgets
// would accept every request. Node's crypto module does not exist in edge runtimes.

const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;

/** HMAC-SHA-256 (RFC 2104). @returns the MAC, 32 bytes */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? sha256(key) : key);
  const keyed = (padding: number, text: Uint8Array) =>
    sha256(
      joined(
        block.map((byte) => byte ^ padding),
        text,
      ),
    );
  return keyed(0x5c, keyed(0x36, message));
}

export function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

const primes: number[] = [];
for (let candidate = 2; primes.length < 64; candidate++) {
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
}
/** The first 32 bits of a number's fractional part. */
const fractionBits = (number: number) => ((number % 1) * 2 ** 32) | 0;
const initialHash = Int32Array.from(primes.slice(0, 8), (prime) => fractionBits(Math.sqrt(prime)));
const roundConstants = Int32Array.from(primes, (prime) => fractionBits(Math.cbrt(prime)));

/** SHA-256 as in FIPS 180-4. Names and order follow the standard. */
function sha256(message: Uint8Array): Uint8Array {
  const length = Math.ceil((message.length + 1 + LENGTH_BYTES) / BLOCK_BYTES) * BLOCK_BYTES;
  const padded = new DataView(joined(message, new Uint8Array(length - message.length)).buffer);
  padded.setUint8(message.length, 0x80);
  padded.setBigUint64(length - LENGTH_BYTES, BigInt(message.length) * 8n);
  const hash = initialHash.slice();
  const w = new Int32Array(BLOCK_BYTES);
  for (let offset = 0; offset < length; offset += BLOCK_BYTES) {
    for (let t = 0; t < 64; t++) w[t] = t < 16 ? padded.getInt32(offset + t * 4) : schedule(w, t);
    compress(hash, w);
  }
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((word, index) => digest.setInt32(index * 4, word));
  return new Uint8Array(digest.buffer);
}

const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

function schedule(w: Int32Array, t: number): number {
  const [w15, w2] = [w[t - 15]!, w[t - 2]!];
  const sigma0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
  const sigma1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
  return sigma1 + w[t - 7]! + sigma0 + w[t - 16]!;
}

function compress(hash: Int32Array, w: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
  for (let t = 0; t < 64; t++) {
    const choice = (e & f) ^ (~e & g);
    const t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + roundConstants[t]! + w[t]!;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (hash[index]! += word));
}
