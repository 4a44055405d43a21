import type { Page } from 'playwright-core';

/**
 * Finds controls and amounts that are not completely visible: outside the page or their container, or amounts that
 * wrap. If a dialog is open, only its contents are checked, because nothing else can be used.
 */
export const unreachable = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scope = document.querySelector('dialog[open]') ?? document;
    const controls = 'a[href], button, input, select, textarea, summary, .money';
    // Code and tabs may scroll sideways; the link to skip the navigation shows when it is focused.
    const exceptions = 'pre, [role=tablist], .visually-hidden, .skip';

    // oxlint-disable-next-line unicorn/consistent-function-scoping -- all of it runs in the page
    function whyNot(element: HTMLElement): string | undefined {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      if (left < -1 || right > document.documentElement.clientWidth + 1) return 'is beside the page';
      if (element.matches('.money') && element.getClientRects().length > 1) return 'breaks into lines';
      for (let around = element.parentElement; around; around = around.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(around);
        const place = around.getBoundingClientRect();
        const isBeside = left < place.left - 1 || right > place.right + 1;
        const isBelow = top < place.top - 1 || bottom > place.bottom + 1;
        if (overflowX !== 'visible' && isBeside) return `is cut off by ${around.className}`;
        if (['hidden', 'clip'].includes(overflowY) && isBelow) return `is cut off by ${around.className}`;
      }
      return undefined;
    }
    return [...scope.querySelectorAll<HTMLElement>(controls)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(exceptions))
      .flatMap((element) => {
        const why = whyNot(element);
        return why ? `${element.outerHTML.slice(0, 120)} ${why}` : [];
      });
  });
