/** KMS's encryption context of a secret: one of these names with its id. Permissions of functions depend on the name. */
export type SecretContext = {
  readonly program_id?: string;
  readonly account_id?: string;
  readonly workspace_id?: string;
};
