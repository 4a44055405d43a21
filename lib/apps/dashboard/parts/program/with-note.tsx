interface WithNoteProps {
  readonly text?: string;
  readonly note?: string;
}

/** The hint of a field, followed by a note if there is one. */
export const WithNote = ({ text, note }: WithNoteProps) => (
  <>
    {text} {note && <strong>{note}</strong>}
  </>
);
