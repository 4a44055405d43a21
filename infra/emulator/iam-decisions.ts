import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether IAM allowed one call. */
export interface IamDecision {
  /** The caller's ARN. For a role, it is `arn:aws:sts::<account>:assumed-role/<role>/<session>`. */
  readonly principal: string;
  /**
   * The action of the call.
   * @example `dynamodb:PutItem`
   */
  readonly action: string;
  readonly resource: string;
  readonly decision: 'Allow' | 'Deny' | 'ImplicitDeny';
}

/** All decisions since the emulator began to enforce IAM. @param folder of the deployment */
export async function iamDecisions(folder: string): Promise<readonly IamDecision[]> {
  const text = await readFile(join(folder, 'iam-decisions.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as IamDecision);
}

export const roleOf = ({ principal }: Pick<IamDecision, 'principal'>): string | undefined =>
  /:assumed-role\/([^/]+)/.exec(principal)?.[1];
