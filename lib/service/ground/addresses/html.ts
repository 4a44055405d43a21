const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text for a page or a mail, between its tags or in an attribute. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character]!);
