import type { IamDecision } from '#infra/emulator/iam-decisions.ts';
import { roleOf } from '#infra/emulator/iam-decisions.ts';

export interface Permission {
  readonly role: string;
  readonly action: string;
  readonly resources: readonly string[];
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
}

/** What is used of the reply of `aws iam get-account-authorization-details`: the roles' inline policies. */
export interface RoleDetail {
  readonly RoleName: string;
  readonly RolePolicyList: readonly {
    readonly PolicyDocument: { readonly Statement: readonly Statement[] };
  }[];
}

/** The permissions that the inline policies give to each role. */
export const permissionsOf = (roles: readonly RoleDetail[]): readonly Permission[] =>
  roles.flatMap(({ RoleName: role, RolePolicyList }) =>
    RolePolicyList.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter(({ Effect }) => Effect === 'Allow')
      .flatMap(({ Action, Resource }) =>
        [Action].flat().map((action) => ({ role, action, resources: [Resource].flat() })),
      ),
  );

/**
 * The first allowed call that IAM would have refused if the role did not have this permission; undefined if there was
 * none.
 */
export function needOf(
  permission: Permission,
  all: readonly Permission[],
  decisions: readonly IamDecision[],
): IamDecision | undefined {
  const others = all.filter((other) => other !== permission && other.role === permission.role);
  return decisions.find(
    (one) =>
      one.decision === 'Allow' &&
      roleOf(one) === permission.role &&
      allows(permission, one) &&
      !others.some((other) => allows(other, one)),
  );
}

const allows = ({ action, resources }: Permission, call: IamDecision): boolean =>
  matches(action, call.action) && resources.some((resource) => matches(resource, call.resource));

const matches = (pattern: string, text: string): boolean =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => RegExp.escape(part))
      .join('.*')}$`,
  ).test(text);
