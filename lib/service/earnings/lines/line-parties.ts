import type { Party } from '#lib/service/ground/parties/party.ts';

/** Who pays and who is paid, as the statement of a line names them. */
export interface LineParties {
  readonly payer: Party;
  readonly payee: {
    /** A name for a person who has set none: the one that the partner has in the program. */
    readonly name?: string;
    readonly accountId?: number;
    /** The billing details that the person has set, encrypted for the account. */
    readonly sealed?: string;
  };
  readonly note?: string;
}
