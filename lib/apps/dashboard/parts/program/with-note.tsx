interface WithNoteProps {
  readonly text?: string;
  readonly note?: string;
}

/** The hint of a field, with a note that appears only sometimes. */
export const WithNote = ({ text, note }: WithNoteProps) => (
  <>
    {text} {note && <strong>{note}</strong>}
  </>
);
