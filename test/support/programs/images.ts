import { crc32, deflateSync } from 'node:zlib';

// Images for logos.

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

interface Wanted {
  readonly width?: number;
  readonly height?: number;
  /** The gray of the pixels. Images with different values differ. */
  readonly shade?: number;
  /** The size of the file in bytes, if it must be larger than the image. A chunk of text fills it. */
  readonly bytes?: number;
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const CHUNK_BYTES = 12;

/** Creates a gray PNG image that browsers can show. */
export function png({ width = 3, height = 2, shade = 0x80, bytes }: Wanted = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const rows = Buffer.alloc((width + 1) * height, shade);
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0;
  const parts = [SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  if (bytes === undefined) return Buffer.concat(parts);
  const room = bytes - Buffer.concat(parts).length - CHUNK_BYTES;
  return Buffer.concat([...parts.slice(0, 2), chunk('tEXt', Buffer.alloc(room, 'a')), ...parts.slice(2)]);
}

const decoded = (base64: string): Buffer => Buffer.from(base64, 'base64');

// Blue images of 30 by 20 pixels as Chromium writes them, but without their color profiles.

export const jpeg = decoded(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////' +
    '////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAUAB4D' +
    'ASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAID/8QAFBEB' +
    'AAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AmA2SAAAAAA//2Q==',
);
export const lossyWebp = decoded(
  'UklGRkAAAABXRUJQVlA4IDQAAADwAgCdASoeABQAP3Gy0GA0rimlqAgCkC4JZQAAPZ7gAAD+2ib/6lb9dEx37k/RdjwAAAAA',
);
export const losslessWebp = decoded('UklGRh4AAABXRUJQVlA4TBEAAAAvHcAEAAdQqu7Uuv+BiOh/AAA=');

/** The same image, but its header says that it is progressive. */
export const progressiveJpeg = Buffer.from(jpeg);
progressiveJpeg[jpeg.indexOf(Buffer.of(0xff, 0xc0)) + 1] = 0xc2;

// WebP images of one pixel in the extended format: one has transparency, one is an animation with one frame.

export const transparentWebp = decoded(
  'UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==',
);
export const animatedWebp = decoded(
  'UklGRlIAAABXRUJQVlA4WAoAAAASAAAAAAAAAAAAQU5JTQYAAAD/////AABBTk1GJgAAAAAAAAAAAAAAAAAAAGQAAABWUDhMDQAAAC8AAAAQBxAR' +
    'EYiI/gcA',
);
