import { crc32, deflateSync } from 'node:zlib';
import type { NewLogo } from '#lib/service/programs/brand/change-logo.ts';

/** A white shape: whether a point belongs to it. Both coordinates are from 0 to 1, from the upper left corner. */
export type Shape = (x: number, y: number) => boolean;

/** Width and height in pixels. */
const SIZE = 128;
const CORNER = 0.22;
/** Number of points per pixel and direction that are tested, so that edges are smooth. */
const SAMPLES = 4;

/** Draws a white shape on a rounded square as a PNG. @param color of the square: `#` and six hexadecimal digits */
export function logoOf(color: string, shape: Shape): NewLogo {
  const background = Buffer.from(color.slice(1), 'hex');
  // In a PNG, each row begins with the number of its filter; 0 means no filter.
  const pixels = Buffer.alloc(SIZE * (1 + SIZE * 4));
  for (let row = 0; row < SIZE; row++)
    for (let column = 0; column < SIZE; column++) {
      const covered = coverage(row, column, isInSquare);
      const white = coverage(row, column, (x, y) => isInSquare(x, y) && shape(x, y)) / (covered || 1);
      const at = row * (1 + SIZE * 4) + 1 + column * 4;
      for (const [index, value] of background.entries()) pixels[at + index] = value + (255 - value) * white;
      pixels[at + 3] = 255 * covered;
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  // A pixel has eight bits each for red, green, blue and opacity.
  header.set([8, 6, 0, 0, 0], 8);
  const content = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { content, type: 'image/png', width: SIZE, height: SIZE };
}

/** How much of a pixel the shape covers, from 0 to 1. */
function coverage(row: number, column: number, shape: Shape): number {
  let hits = 0;
  for (let n = 0; n < SAMPLES ** 2; n++) {
    const x = (column + ((n % SAMPLES) + 0.5) / SAMPLES) / SIZE;
    const y = (row + (Math.floor(n / SAMPLES) + 0.5) / SAMPLES) / SIZE;
    if (shape(x, y)) hits += 1;
  }
  return hits / SAMPLES ** 2;
}

/** Whether a point is inside the square with rounded corners. */
function isInSquare(x: number, y: number): boolean {
  const beyond = (at: number) => Math.max(0, Math.abs(at - 0.5) - (0.5 - CORNER));
  return Math.hypot(beyond(x), beyond(y)) <= CORNER;
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(content.length, 0);
  numbers.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)]);
}
