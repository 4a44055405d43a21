import { opened } from '#test/support/cases/opened.ts';
import { type Issuer, openIssuer } from '#test/support/callers/logins/issuer.ts';

/** An issuer opened before the other hooks and the tests of a file. */
export const openedIssuer = (): Issuer => opened(openIssuer);
