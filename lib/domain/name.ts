export const LONGEST_NAME = 120;

/** C0, DEL, C1 and bidirectional controls: in a terminal or table they make text display as something else. */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The name of a program, workspace, partner or key as stored: trimmed; undefined when invalid. */
export function nameOf(sent: string): string | undefined {
  const name = sent.trim();
  const isName = name !== '' && name.length <= LONGEST_NAME && name.isWellFormed() && name.search(HIDDEN) < 0;
  return isName ? name : undefined;
}

/** A name from an external source, without the characters that `nameOf` refuses. It may be empty. */
export const visibleName = (text: string): string => text.replaceAll(HIDDEN, '').trim();
