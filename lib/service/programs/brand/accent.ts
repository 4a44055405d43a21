import {
  clampChroma,
  formatHex,
  modeLrgb,
  modeOklab,
  modeOklch,
  modeRgb,
  parseHex,
  useMode,
  wcagContrast,
} from 'culori/fn';
import type { Accent } from '#lib/service/programs/brand/brand.ts';

/**
 * The backgrounds behind text of the pages in the accent's color, and the text on buttons of this color. They are those
 * of `lib/apps/web/style/base.css`, with which a test compares them.
 */
export const surfaces: Readonly<Record<keyof Accent, readonly string[]>> = {
  light: ['#f6f7f9', '#ffffff', '#f0f2f5', '#e2f4ec', '#fdf1da', '#fdebed'],
  dark: ['#0f1218', '#171b23', '#10141b', '#14332a', '#38290f', '#3d1a21', '#10142a'],
};

/** The least contrast of text by WCAG 2, level AA. */
const READABLE = 4.5;
/** How much darker or lighter each try is, of a lightness from 0 to 1. */
const STEP = 0.01;

// The library converts only between color spaces that were added to it.
useMode(modeRgb);
useMode(modeLrgb);
useMode(modeOklab);
const oklch = useMode(modeOklch);

/** The color for each theme: itself where it can be read, else the nearest one of the same hue that can. */
export const accentOf = (color: string): Accent => ({
  light: readableOn(surfaces.light, color, -STEP),
  dark: readableOn(surfaces.dark, color, STEP),
});

function readableOn(backgrounds: readonly string[], color: string, step: number): string {
  const isReadable = (shown: string): boolean =>
    backgrounds.every((background) => wcagContrast(shown, background) >= READABLE);
  const { l, c, h } = oklch(parseHex(color)!);
  let shown = color;
  // Black can be read in the light theme, and white in the dark one, so the search ends.
  for (let tries = 1; !isReadable(shown); tries += 1) {
    const lightness = Math.min(1, Math.max(0, l + tries * step));
    shown = formatHex(clampChroma({ mode: 'oklch', l: lightness, c, h }, 'oklch'));
  }
  return shown;
}
