const QUESTION = 'Leave without saving? What you have entered is lost.';

/** Forms with input, each with a function that returns whether it is unsaved. */
const forms = new Map<HTMLFormElement, () => boolean>();
/** Address of the page with these forms. */
let address: string;

const addressNow = (): string => location.pathname + location.search;

/** Asks about unsaved input before the person leaves. @param place the part that is left, such as a dialog */
export function mayLeave(place: Node = document): boolean {
  const left = [...forms].filter(([form]) => place.contains(form));
  if (left.some(([, isUnsaved]) => isUnsaved()) && !confirm(QUESTION)) return false;
  for (const [form] of left) forms.delete(form);
  return true;
}

/** Call this before the router starts: the first listener on the window is the first to receive a Back event. */
export function askBeforeLeaving(): void {
  addEventListener('beforeunload', askBeforeUnload);
  addEventListener('click', askBeforeLink, { capture: true });
  addEventListener('popstate', askBeforeBack);
}

/** Registers a form with input. */
export function markEntered(form: HTMLFormElement, isUnsaved: () => boolean): void {
  address = addressNow();
  forms.set(form, isUnsaved);
}

export const isEntered = (form: HTMLFormElement): boolean => forms.has(form);

/** Call this when the form is saved or removed. */
export const forgetEntered = (form: HTMLFormElement): unknown => forms.delete(form);

/** Asks about unsaved input with the browser's own question. */
function askBeforeUnload(event: BeforeUnloadEvent): void {
  if ([...forms.values()].some((isUnsaved) => isUnsaved())) event.preventDefault();
}

/** Stops a click on a link before the router sees it, unless the person agrees to leave. */
function askBeforeLink(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return;
  const link = (event.target as Element).closest('a');
  if (!link?.href || link.origin !== location.origin || link.target === '_blank' || link.download) return;
  if (link.pathname + link.search === addressNow() || mayLeave()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Asks about unsaved input after the browser has gone back. The address of this page is restored first. */
function askBeforeBack(event: PopStateEvent): void {
  if (forms.size === 0 || addressNow() === address || mayLeave()) return;
  event.stopImmediatePropagation();
  history.pushState(null, '', address);
}
