import { opened } from '#test/support/cases/opened.ts';
import { type Issuer, openIssuer } from '#test/support/callers/logins/issuer.ts';

/** Starts an issuer before the tests of a file, and before the file's other hooks. */
export const openedIssuer = (): Issuer => opened(openIssuer);
