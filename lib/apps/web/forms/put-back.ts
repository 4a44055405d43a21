import type { Entries } from '#lib/apps/web/forms/kept-entries.ts';

const nextPicture = () => new Promise((resolve) => requestAnimationFrame(resolve));

/**
 * Enters values again after the inputs of a form were created anew. Selections are restored first, because a selection
 * may add inputs.
 */
export async function putBack(form: HTMLFormElement, entries: Entries): Promise<void> {
  for (const [name, value] of entries) choose(form.elements.namedItem(name), value);
  await nextPicture();
  for (const [name, value = ''] of entries) fill(form.elements.namedItem(name), value);
}

function choose(element: Element | RadioNodeList | null, value: string | undefined): void {
  if (element instanceof HTMLInputElement && element.type === 'checkbox') {
    if (element.checked !== (value !== undefined)) element.click();
  } else if (element instanceof HTMLSelectElement) {
    element.value = value ?? '';
    tell(element, 'input', 'change');
  }
}

function fill(element: Element | RadioNodeList | null, value: string): void {
  const isText = element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;
  if (!isText || element.type === 'checkbox') return;
  element.value = value;
  tell(element, 'input');
}

function tell(element: Element, ...events: readonly string[]): void {
  for (const name of events) element.dispatchEvent(new Event(name, { bubbles: true }));
}
