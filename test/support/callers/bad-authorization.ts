/** Why an Authorization header contains no valid credential. */
export type Lack = 'malformed' | 'empty' | 'unknown';

const secrets = { key: '0'.repeat(32), token: '0'.repeat(40) };

const headers: Readonly<Record<Lack, readonly (string | undefined)[]>> = {
  malformed: [undefined, '', 'Basic YTpi', 'bearer abc', 'BEARER abc', 'Bearerabc', ' Bearer abc', 'abc'],
  empty: ['Bearer', 'Bearer ', 'Bearer \t '],
  unknown: ['abc', `aff_1_${secrets.key}`, `agt_${secrets.token}`, `lgn_${secrets.token}`, 'a b'].map(
    (token) => `Bearer ${token}`,
  ),
};

/** All such Authorization headers, each with the message that the endpoint must reply with. */
export const badAuthorizations = (texts: Readonly<Record<Lack, string>>) =>
  (['malformed', 'empty', 'unknown'] as const).flatMap((lack) =>
    headers[lack].map((header) => ({ header, message: texts[lack] })),
  );

export const authorized = (header: string | undefined): Record<string, string> =>
  header === undefined ? {} : { authorization: header };
