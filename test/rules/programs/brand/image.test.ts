import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imageIn } from '#lib/service/programs/brand/image.ts';
import { cases } from '#test/support/cases/cases.ts';
import {
  animatedWebp,
  jpeg,
  losslessWebp,
  lossyWebp,
  png,
  progressiveJpeg,
  transparentWebp,
} from '#test/support/programs/images.ts';

const samples = [
  ['PNG', png({ width: 300, height: 120 }), { type: 'image/png', width: 300, height: 120 }],
  ['baseline JPEG', jpeg, { type: 'image/jpeg', width: 30, height: 20 }],
  ['progressive JPEG', progressiveJpeg, { type: 'image/jpeg', width: 30, height: 20 }],
  ['lossy WebP', lossyWebp, { type: 'image/webp', width: 30, height: 20 }],
  ['lossless WebP', losslessWebp, { type: 'image/webp', width: 30, height: 20 }],
  ['WebP with transparency', transparentWebp, { type: 'image/webp', width: 1, height: 1 }],
  ['animated WebP', animatedWebp, { type: 'image/webp', width: 1, height: 1 }],
] as const;

/** A copy with other bytes at a position. */
const withBytes = (image: Buffer, at: number, ...bytes: number[]): Buffer => {
  const copy = Buffer.from(image);
  copy.set(bytes, at);
  return copy;
};
/** A whole number of pixels. */
const positive = expect.toSatisfy((side: unknown) => Number.isInteger(side) && Number(side) >= 1);
const text = (content: string): Buffer => Buffer.from(content, 'latin1');

describe.each(samples)('an image in this format: %s', (_, image, facts) => {
  it('is read with its type and its size', () => expect(imageIn(image)).toEqual(facts));

  it('may have additional bytes after its end', () => {
    expect(imageIn(Buffer.concat([image, text('behind')]))).toEqual(facts);
  });

  it('is not read if it was cut off anywhere', () => {
    for (let length = 0; length < image.length; length += 1) {
      expect(imageIn(image.subarray(0, length)), `${length} of ${image.length} bytes`).toBeUndefined();
    }
  });

  it('causes no exception if any of its bytes are changed', () => {
    const changes = fc.array(fc.tuple(fc.nat(image.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(changes, (changed) => {
        const broken = Buffer.from(image);
        for (const [at, value] of changed) broken[at] = value;
        const read = imageIn(broken);
        expect(read ?? facts).toMatchObject({ width: positive, height: positive });
      }),
      { numRuns: cases(2_000) },
    );
  });
});

describe('no image is recognised', () => {
  const [pngSize, frame] = [16, jpeg.indexOf(Buffer.of(0xff, 0xc0))];
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', text('logo')],
    ['a GIF', text('GIF89a\x01\0\x01\0\0\0\0;')],
    ['an SVG', text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a page', text('<!doctype html><script>alert(1)</script>')],
    ['a page after the signature of PNG', Buffer.concat([png().subarray(0, 8), text('<script>alert(1)</script>')])],
    ['a BMP', text('BM\x46\0\0\0')],
    ['an AVIF', text('\0\0\0\x1cftypavif')],
    ['a PNG without width', withBytes(png(), pngSize, 0, 0, 0, 0)],
    ['a PNG without height', withBytes(png(), pngSize + 4, 0, 0, 0, 0)],
    ['a PNG whose first chunk is not the header', withBytes(png(), 12, ...text('tEXt'))],
    ['a PNG without pixels', withBytes(png(), png().indexOf('IDAT'), ...text('tEXt'))],
    ['a PNG with a chunk beyond its end', withBytes(png(), png().indexOf('IDAT') - 4, 0x7f, 0xff, 0xff, 0xff)],
    ['a JPEG without height', withBytes(jpeg, frame + 5, 0, 0)],
    ['a JPEG without frame', withBytes(jpeg, frame, 0xff, 0xe5)],
    ['a JPEG with a compression that browsers do not show', withBytes(jpeg, frame, 0xff, 0xc3)],
    ['a JPEG with a segment of no length', withBytes(jpeg, frame + 2, 0, 0)],
    ['a WAV file', withBytes(lossyWebp, 8, ...text('WAVE'))],
    ['a WebP longer than the file', withBytes(lossyWebp, 4, 0xff, 0xff, 0xff, 0x7f)],
    ['a WebP of an unknown first chunk', withBytes(lossyWebp, 12, ...text('EXIF'))],
    ['a WebP that is not a complete picture', withBytes(lossyWebp, 20, lossyWebp[20]! | 1)],
    ['a WebP without pixels', withBytes(transparentWebp, transparentWebp.indexOf('VP8 '), ...text('EXIF'))],
  ])('in %s', (_, bytes) => {
    expect(imageIn(bytes)).toBeUndefined();
  });

  it('in random bytes, with or without the beginning of an image', () => {
    const beginnings = samples.map(([, image]) => image);
    const bytes = fc
      .tuple(fc.constantFrom(...beginnings), fc.nat(40), fc.uint8Array({ maxLength: 200 }))
      .map(([image, kept, others]) => Buffer.concat([image.subarray(0, kept), others]));
    fc.assert(
      fc.property(bytes, (random) => {
        expect(() => imageIn(random)).not.toThrow();
      }),
      { numRuns: cases(2_000) },
    );
  });
});
