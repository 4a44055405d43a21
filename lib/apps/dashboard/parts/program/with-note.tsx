interface WithNoteProps {
  readonly text?: string;
  readonly note?: string;
}

/** Shows the hint of a field and, if there is one, a note after it. */
export const WithNote = ({ text, note }: WithNoteProps) => (
  <>
    {text} {note && <strong>{note}</strong>}
  </>
);
