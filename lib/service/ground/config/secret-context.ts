/**
 * KMS's encryption context of a secret: one of these names together with an id. The permissions of a Lambda function
 * decide which names it may use.
 */
export type SecretContext = {
  readonly program_id?: string;
  readonly account_id?: string;
  readonly workspace_id?: string;
};
