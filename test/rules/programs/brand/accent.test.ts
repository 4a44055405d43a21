import * as fc from 'fast-check';
import { converter, wcagContrast } from 'culori';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accentOf, surfaces } from '#lib/service/programs/brand/accent.ts';
import { cases } from '#test/support/cases/cases.ts';

const oklch = converter('oklch');
const READABLE = 4.5;

/** The colors that the pages' style sheet names, in the light and in the dark theme. */
const style = readFileSync('lib/apps/web/style/base.css', 'utf8');
const [light = '', dark = ''] = [...style.matchAll(/:root \{(.*?)\}/gs)].map(([, block]) => block);
/** Whether text in the accent's color, or on this color, may be in front of it. */
const isSurface = (name: string): boolean =>
  ['page', 'surface', 'sunken', 'on-accent'].includes(name) || (name.endsWith('-soft') && name !== 'accent-soft');
const surfacesIn = (block: string): string[] =>
  [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)]
    .filter(([, name]) => isSurface(name!))
    .map(([, , color]) => color!);

const themes = { light: surfacesIn(light), dark: surfacesIn(dark) };
const leastContrast = (color: string, theme: keyof typeof themes): number =>
  Math.min(...themes[theme].map((surface) => wcagContrast(color, surface)));

const anyColor = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

it('the background colors against which accents are checked are those in the style sheets of the pages', () => {
  expect(themes.light).toHaveLength(7);
  expect(themes.dark).toHaveLength(7);
  expect(new Set(surfaces.light)).toEqual(new Set(themes.light));
  expect(new Set(surfaces.dark)).toEqual(new Set(themes.dark));
});

/** The angle between two hues, from -180 to 180 degrees. */
const turnOf = (from: number, to: number): number => ((to - from + 540) % 360) - 180;

describe('the accent color that accentOf computes from a brand’s color', () => {
  it('is readable in the light and the dark theme, for any color', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const accent = accentOf(color);
        expect(leastContrast(accent.light, 'light')).toBeGreaterThanOrEqual(READABLE);
        expect(leastContrast(accent.dark, 'dark')).toBeGreaterThanOrEqual(READABLE);
      }),
      { numRuns: cases(1_000) },
    );
  });

  it('is the brand’s color itself if that is readable, and otherwise another one', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const accent = accentOf(color);
        for (const theme of ['light', 'dark'] as const) {
          expect(accent[theme] === color).toBe(leastContrast(color, theme) >= READABLE);
        }
      }),
      { numRuns: cases(1_000) },
    );
  });

  it('is the nearest readable color of the same hue if the brand’s is unreadable: darker on light, lighter on dark', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const accent = accentOf(color);
        const before = oklch(color)!;
        for (const theme of ['light', 'dark'] as const) {
          if (accent[theme] === color) continue;
          const after = oklch(accent[theme])!;
          // A further step of lightness, which is a hundredth, changes the contrast by about 0.2.
          expect(leastContrast(accent[theme], theme)).toBeLessThan(4.9);
          expect(theme === 'light' ? after.l < before.l : after.l > before.l).toBe(true);
          expect(after.c).toBeLessThan(before.c + 0.01);
          // The hue of a color that is nearly gray depends on rounding.
          const isGray = Math.min(before.c, after.c) <= 0.04;
          expect(isGray ? 0 : Math.abs(turnOf(before.h!, after.h!))).toBeLessThan(6);
        }
      }),
      { numRuns: cases(1_000) },
    );
  });

  it.each([
    ['#3b54d6', { light: '#3b54d6' }],
    ['#000000', { light: '#000000' }],
    ['#ffffff', { dark: '#ffffff' }],
  ])('is, for the brand’s color %s, the same in these themes: %j', (color, part) => {
    expect(accentOf(color)).toMatchObject(part);
  });

  it('is gray for gray', () => {
    for (const shade of Object.values(accentOf('#808080'))) expect(shade).toMatch(/^#(..)\1\1$/);
  });

  it('is readable for colors in small steps through the whole color space', { tags: 'deep' }, () => {
    const unreadable: string[] = [];
    for (let red = 0; red < 256; red += 15) {
      for (let green = 0; green < 256; green += 15) {
        for (let blue = 0; blue < 256; blue += 5) {
          const color = `#${Buffer.from([red, green, blue]).toString('hex')}`;
          const accent = accentOf(color);
          const isReadable =
            leastContrast(accent.light, 'light') >= READABLE && leastContrast(accent.dark, 'dark') >= READABLE;
          if (!isReadable) unreadable.push(color);
        }
      }
    }
    expect(unreadable).toEqual([]);
  });
});
