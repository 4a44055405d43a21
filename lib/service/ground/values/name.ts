export const LONGEST_NAME = 120;

/** C0, DEL, C1 and bidirectional controls: in a terminal or table they make text display as something else. */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The name of a program, workspace, partner or key as stored: trimmed; undefined when invalid. */
export function nameOf(sent: string): string | undefined {
  const name = sent.trim();
  const isName = name !== '' && name.length <= LONGEST_NAME && name.isWellFormed() && name.search(HIDDEN) < 0;
  return isName ? name : undefined;
}

/** Whether a name begins with a text, in any case and however their accents are encoded. */
export const nameBeginsWith = (name: string, text: string): boolean => folded(name).startsWith(folded(text));

// Upper case, because lower case has two forms of a Greek sigma, one of them for the end of a word only.
const folded = (text: string): string => text.normalize('NFC').toUpperCase();

/** A name from an external source, without the characters that `nameOf` refuses. It may be empty. */
export const visibleName = (text: string): string => text.replaceAll(HIDDEN, '').trim();
