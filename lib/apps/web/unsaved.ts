const QUESTION = 'Leave without saving? What you have entered is lost.';

/** Forms in which somebody entered something, and whether it is still to be saved. */
const forms = new Map<HTMLFormElement, () => boolean>();
/** Of the page with these forms. */
let address: string;

const addressNow = (): string => location.pathname + location.search;

/** Asks about what was entered, before the person leaves. @param place that is left, such as a dialog */
export function mayLeave(place: Node = document): boolean {
  const left = [...forms].filter(([form]) => place.contains(form));
  if (left.some(([, isUnsaved]) => isUnsaved()) && !confirm(QUESTION)) return false;
  for (const [form] of left) forms.delete(form);
  return true;
}

/** Before the router is there: of the listeners of a window, the first one hears first of the way back. */
export function askBeforeLeaving(): void {
  addEventListener('beforeunload', askBeforeUnload);
  addEventListener('click', askBeforeLink, { capture: true });
  addEventListener('popstate', askBeforeBack);
}

/** Something was entered in a form. */
export function noteEntered(form: HTMLFormElement, isUnsaved: () => boolean): void {
  address = addressNow();
  forms.set(form, isUnsaved);
}

export const isEntered = (form: HTMLFormElement): boolean => forms.has(form);

/** The form is saved, or gone. */
export const forgetEntered = (form: HTMLFormElement): unknown => forms.delete(form);

/** The browser asks by itself. */
function askBeforeUnload(event: BeforeUnloadEvent): void {
  if ([...forms.values()].some((isUnsaved) => isUnsaved())) event.preventDefault();
}

/** Links of the application are followed by its router, which comes later. */
function askBeforeLink(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return;
  const link = (event.target as Element).closest('a');
  if (!link?.href || link.origin !== location.origin || link.target === '_blank' || link.download) return;
  if (link.pathname + link.search === addressNow() || mayLeave()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Going back has happened already: the page that stays gets its address back. */
function askBeforeBack(event: PopStateEvent): void {
  if (forms.size === 0 || addressNow() === address || mayLeave()) return;
  event.stopImmediatePropagation();
  history.pushState(null, '', address);
}
