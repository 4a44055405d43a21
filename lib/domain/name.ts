export const LONGEST_NAME = 120;

/** C0, DEL, C1, and what turns the direction of text: in a terminal or a table they show something else than is there. */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The name of a program, workspace, partner or key as it is kept: trimmed; undefined for what can be none. */
export function nameOf(sent: string): string | undefined {
  const name = sent.trim();
  const isName = name !== '' && name.length <= LONGEST_NAME && name.isWellFormed() && name.search(HIDDEN) < 0;
  return isName ? name : undefined;
}

/** A name that somebody else answers for: without what `nameOf` refuses in it. It may be empty. */
export const visibleName = (text: string): string => text.replaceAll(HIDDEN, '').trim();
