const QUESTION = 'Leave without saving? What you have entered is lost.';

/** Forms in which the person has entered something, each with a function that returns whether it is still unsaved. */
const forms = new Map<HTMLFormElement, () => boolean>();
/** Address of the page that contains these forms. */
let address: string;

const addressNow = (): string => location.pathname + location.search;

/**
 * Asks the person whether unsaved input may be lost.
 * @param place the part that is left, such as a dialog
 * @returns true if there is none, or the person agrees
 */
export function mayLeave(place: Node = document): boolean {
  const left = [...forms].filter(([form]) => place.contains(form));
  if (left.some(([, isUnsaved]) => isUnsaved()) && !confirm(QUESTION)) return false;
  for (const [form] of left) forms.delete(form);
  return true;
}

/**
 * Call this before the router starts: on Back, this listener must be called before the router's, and listeners are
 * called in the order in which they were added.
 */
export function askBeforeLeaving(): void {
  addEventListener('beforeunload', askBeforeUnload);
  addEventListener('click', askBeforeLink, { capture: true });
  addEventListener('popstate', askBeforeBack);
}

/** Records that the person has entered something in a form. */
export function markEntered(form: HTMLFormElement, isUnsaved: () => boolean): void {
  address = addressNow();
  forms.set(form, isUnsaved);
}

export const isEntered = (form: HTMLFormElement): boolean => forms.has(form);

/** Call this when the form is saved or removed from the page. */
export const forgetEntered = (form: HTMLFormElement): unknown => forms.delete(form);

/** Whether the person has entered something on this page that is not saved. */
export const isAnythingUnsaved = (): boolean => [...forms.values()].some((isUnsaved) => isUnsaved());

/** Lets the browser ask its own question before a tab with unsaved input is closed or reloaded. */
function askBeforeUnload(event: BeforeUnloadEvent): void {
  if (isAnythingUnsaved()) event.preventDefault();
}

/**
 * On a click on a link, asks about unsaved input before the router sees the click. The click is stopped if the person
 * stays.
 */
function askBeforeLink(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return;
  const link = (event.target as Element).closest('a');
  if (!link?.href || link.origin !== location.origin || link.target === '_blank' || link.download) return;
  if (link.pathname + link.search === addressNow() || mayLeave()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Asks about unsaved input when the browser goes back. The address has then already changed; if the person stays, this
 * page's address is restored.
 */
function askBeforeBack(event: PopStateEvent): void {
  if (forms.size === 0 || addressNow() === address || mayLeave()) return;
  event.stopImmediatePropagation();
  history.pushState(null, '', address);
}
