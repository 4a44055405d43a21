import { createHash } from 'node:crypto';
import { Stack, Validations } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { DeployedFunction } from '#infra/deployed-functions.ts';
import type { IndexName } from '#lib/service/ground/config/table-definition.ts';

/** The principal of an AWS service, limited to calls on behalf of this account. */
const serviceOfAccount = (scope: Construct, service: string): ServicePrincipal =>
  new ServicePrincipal(service, { conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } } });

/** A role for functions with exactly the given permissions. */
export class FunctionRole extends Role {
  constructor(scope: Construct, id: string, statements: readonly PolicyStatement[]) {
    super(scope, id, {
      assumedBy: serviceOfAccount(scope, 'lambda.amazonaws.com'),
      // The policy is part of the role. A separate policy would be one more resource per role, and a stack can have
      // only 500 resources.
      inlinePolicies: { endpoint: new PolicyDocument({ statements: [...statements] }) },
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray knows no resources that a permission to send it traces could name.',
    });
  }
}

/**
 * One role for all functions with exactly the same permissions. Never add a permission to the role: all its functions
 * would get it.
 */
export class SharedRoles extends Construct {
  roleFor(statements: readonly PolicyStatement[]): FunctionRole {
    const resolved = Stack.of(this).resolve(statements.map((each) => each.toStatementJson()));
    const id = idFrom(resolved);
    const known = this.node.tryFindChild(id) as FunctionRole | undefined;
    return known ?? new FunctionRole(this, id, statements);
  }
}

interface StatementJson {
  /** CDK renders a single action as a string, and several as a list. */
  readonly Action: string | readonly string[];
}

/**
 * Returns an id such as `GetUpdateQuery-0a1b2c3d`: the actions make it readable, and a hash of the statements
 * distinguishes roles with the same actions. It does not depend on functions, so adding an endpoint renames no role.
 */
function idFrom(statements: readonly StatementJson[]): string {
  const sorted = statements.map((each) => ({ ...each, Action: [each.Action].flat().toSorted() }));
  const words = sorted
    .flatMap(({ Action }) => Action)
    .filter((action) => !/^(logs|xray):/.test(action))
    .map((action) => action.replace(/^\w+:(Batch|Condition)?/, '').replace(/Item$/, ''));
  const hash = createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 8);
  return `${[...new Set(words)].join('')}-${hash}`;
}

export interface EndpointPermissions extends Pick<DeployedFunction, 'tableActions' | 'uses' | 'items'> {
  readonly table: ITableV2;
  readonly logGroup: ILogGroup;
  /** Permissions other than those for the table, the log and the traces. */
  readonly furtherPermissions?: readonly PolicyStatement[];
}

const allow = (actions: string[], resource: string) => new PolicyStatement({ actions, resources: [resource] });

const indexArn = ({ tableArn }: ITableV2, name: IndexName): string => `${tableArn}/index/${name}`;

/** The permissions that a function's routes list, and those that every function needs. */
export const endpointPermissions = ({
  table,
  logGroup,
  tableActions,
  uses,
  items,
  furtherPermissions = [],
}: EndpointPermissions): PolicyStatement[] => [
  allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn),
  ...(tableActions.length > 0
    ? [
        new PolicyStatement({
          actions: tableActions.map((action) => `dynamodb:${action}`),
          resources: [table.tableArn],
          ...(items && { conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': items } } }),
        }),
      ]
    : []),
  ...(uses.includes('programIndex') ? [allow(['dynamodb:Query'], indexArn(table, 'gsi1'))] : []),
  ...(uses.includes('partnerIndex') ? [allow(['dynamodb:Query'], indexArn(table, 'gsi2'))] : []),
  allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*'),
  ...furtherPermissions,
];
