import type { LogoType } from '#lib/service/programs/brand/brand.ts';

/** Type and size in pixels of an image. */
export interface Image {
  readonly type: LogoType;
  readonly width: number;
  readonly height: number;
}

type Size = Pick<Image, 'width' | 'height'>;

/**
 * Reads an image's type and size from the file's bytes, and follows the file's structure to the end, so that a file
 * that was cut off is not accepted. It does not decode the pixels.
 * @returns undefined for anything that is not a PNG, JPEG or WebP image
 */
export function imageIn(bytes: Uint8Array): Image | undefined {
  for (const [type, sizeIn] of readers) {
    const size = sizeIn(bytes);
    if (size && size.width >= 1 && size.height >= 1) return { type, ...size };
  }
  return undefined;
}

// Reading beyond the end of a file gives NaN. NaN equals no marker, so every loop below ends there.

const byte = (bytes: Uint8Array, at: number): number => bytes[at] ?? Number.NaN;
const big16 = (bytes: Uint8Array, at: number): number => byte(bytes, at) * 0x100 + byte(bytes, at + 1);
const big32 = (bytes: Uint8Array, at: number): number => big16(bytes, at) * 0x1_0000 + big16(bytes, at + 2);
const little16 = (bytes: Uint8Array, at: number): number => byte(bytes, at + 1) * 0x100 + byte(bytes, at);
const little24 = (bytes: Uint8Array, at: number): number => byte(bytes, at + 2) * 0x1_0000 + little16(bytes, at);
const little32 = (bytes: Uint8Array, at: number): number => byte(bytes, at + 3) * 0x100_0000 + little24(bytes, at);
const ascii = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

/** PNG: chunks of length, name, content and checksum, from IHDR to IEND, with image data in between. */
function sizeOfPng(bytes: Uint8Array): Size | undefined {
  if (ascii(bytes, 0, 8) !== PNG_SIGNATURE || big32(bytes, 8) !== 13 || ascii(bytes, 12, 4) !== 'IHDR') {
    return undefined;
  }
  let hasData = false;
  for (let at = 8; at + 12 <= bytes.length; at += big32(bytes, at) + 12) {
    const name = ascii(bytes, at + 4, 4);
    if (name === 'IEND') return hasData ? { width: big32(bytes, 16), height: big32(bytes, 20) } : undefined;
    hasData ||= name === 'IDAT';
  }
  return undefined;
}

/** The kinds of frames that browsers can show: baseline, extended and progressive, with Huffman codes. */
const isShownFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xc2;
const SHORTEST_FRAME = 11;
const START_OF_SCAN = 0xda;

/** JPEG: segments that begin with a marker and their length, then the scans, and a marker at the end. */
function sizeOfJpeg(bytes: Uint8Array): Size | undefined {
  if (big16(bytes, 0) !== 0xff_d8) return undefined;
  let size: Size | undefined;
  let at = 2;
  while (byte(bytes, at) === 0xff) {
    const marker = byte(bytes, at + 1);
    if (marker === START_OF_SCAN) return endsAfter(bytes, at) ? size : undefined;
    // Any number of fill bytes (0xff) may come before a marker.
    if (marker === 0xff) at += 1;
    else {
      const length = big16(bytes, at + 2);
      if (!(length >= (isShownFrame(marker) ? SHORTEST_FRAME : 2))) return undefined;
      if (isShownFrame(marker)) size ??= { height: big16(bytes, at + 5), width: big16(bytes, at + 7) };
      at += 2 + length;
    }
  }
  return undefined;
}

/** Whether the end marker of a JPEG image comes after a position. Some programs add data after the end marker. */
function endsAfter(bytes: Uint8Array, start: number): boolean {
  for (let at = bytes.length - 2; at > start; at -= 1) if (big16(bytes, at) === 0xff_d9) return true;
  return false;
}

/**
 * WebP: a RIFF file of chunks. The first chunk contains the size, and one of the chunks contains the pixels of the
 * (first) image.
 */
function sizeOfWebp(bytes: Uint8Array): Size | undefined {
  if (ascii(bytes, 0, 4) !== 'RIFF' || ascii(bytes, 8, 4) !== 'WEBP') return undefined;
  const end = little32(bytes, 4) + 8;
  if (!(end <= bytes.length)) return undefined;
  let size: Size | undefined;
  let hasPixels = false;
  let at = 12;
  while (at + 8 <= end) {
    const name = ascii(bytes, at, 4);
    const length = little32(bytes, at + 4);
    size ??= length >= SHORTEST_FIRST_CHUNK ? sizeInChunk(bytes, name, at + 8) : undefined;
    if (!size) return undefined;
    hasPixels ||= name === 'VP8 ' || name === 'VP8L' || name === 'ANMF';
    // Chunks are padded to an even length.
    at += 8 + length + (length % 2);
  }
  return hasPixels && at === end ? size : undefined;
}

/** Every kind of first chunk has at least this many bytes, which include the image's size. */
const SHORTEST_FIRST_CHUNK = 10;

/** The size in a WebP file's first chunk: of a lossy, a lossless or an extended image. */
function sizeInChunk(bytes: Uint8Array, name: string, at: number): Size | undefined {
  if (name === 'VP8X') return { width: little24(bytes, at + 4) + 1, height: little24(bytes, at + 7) + 1 };
  if (name === 'VP8 ') {
    const isKeyFrame = byte(bytes, at) % 2 === 0 && ascii(bytes, at + 3, 3) === '\x9d\x01\x2a';
    return isKeyFrame
      ? { width: little16(bytes, at + 6) & 0x3f_ff, height: little16(bytes, at + 8) & 0x3f_ff }
      : undefined;
  }
  if (name !== 'VP8L' || byte(bytes, at) !== 0x2f) return undefined;
  const packed = little32(bytes, at + 1);
  return { width: (packed & 0x3f_ff) + 1, height: ((packed >>> 14) & 0x3f_ff) + 1 };
}

const readers: ReadonlyArray<readonly [LogoType, (bytes: Uint8Array) => Size | undefined]> = [
  ['image/png', sizeOfPng],
  ['image/jpeg', sizeOfJpeg],
  ['image/webp', sizeOfWebp],
];
