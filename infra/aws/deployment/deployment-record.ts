/** What each deployment of a stack records about itself, in a parameter of AWS Systems Manager. */
export interface DeploymentRecord {
  /** Settings by their names, including defaults; settings without a value are left out. */
  readonly settings: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
}

/** The name of a stage's parameter, which is the same in every account. */
export const recordName = (stage: string): string => `/referral-tracking/${stage}/deployed`;

/**
 * Parses the text of a record.
 * @param source where the text comes from, for error messages
 * @throws Error if the text is not a record
 */
export function recordIn(text: string, source: string): DeploymentRecord {
  const problem = `${source} is not the text of a parameter such as ${recordName('prod')}`;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`${problem}: ${(error as Error).message}`, { cause: error });
  }
  const { settings, outputs } = (json ?? {}) as Partial<Record<keyof DeploymentRecord, unknown>>;
  if (!isTexts(settings) || !isTexts(outputs)) throw new Error(`${problem}: it must have settings and outputs`);
  return { settings, outputs };
}

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((each) => typeof each === 'string');
