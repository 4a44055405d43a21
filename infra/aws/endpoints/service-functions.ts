import { NestedStack, type Stack } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { EndpointFunction, type EndpointFunctionProps } from '#infra/aws/endpoints/endpoint-function.ts';
import { endpointPermissions, FunctionRole, SharedRoles } from '#infra/aws/endpoints/function-role.ts';
import { type DeployedFunction, nestedStackOf } from '#infra/deployed-functions.ts';

interface ServiceFunctionsProps {
  readonly table: ITableV2;
  readonly log: ILogGroup;
  readonly codeOf: (functionName: string) => Code;
}

/** The functions of the service, each in the nested stack of its folder. */
export class ServiceFunctions {
  readonly #stack: Stack;
  readonly #props: ServiceFunctionsProps;
  readonly #created = new Map<string, EndpointFunction>();
  readonly #nested = new Map<string, NestedStack>();
  readonly #roles = new Map<Stack, SharedRoles>();

  constructor(stack: Stack, props: ServiceFunctionsProps) {
    this.#stack = stack;
    this.#props = props;
  }

  get nestedStacks(): readonly NestedStack[] {
    return [...this.#nested.values()];
  }

  stackOf(functionName: string): Stack {
    const name = nestedStackOf(functionName);
    if (name === undefined) return this.#stack;
    const nested = this.#nested.get(name) ?? new NestedStack(this.#stack, name);
    this.#nested.set(name, nested);
    return nested;
  }

  create(name: string, props: Omit<EndpointFunctionProps, 'code' | 'logGroup'>): EndpointFunction {
    const all = { code: this.#props.codeOf(name), logGroup: this.#props.log, ...props };
    const created = new EndpointFunction(this.stackOf(name), name, all);
    this.#created.set(name, created);
    return created;
  }

  /** Returns a function that was already created. */
  named(name: string): EndpointFunction {
    return this.#created.get(name)!;
  }

  ownRole(name: string, permissions: readonly PolicyStatement[]): FunctionRole {
    return new FunctionRole(this.stackOf(name), `${name} role`, permissions);
  }

  /** A role for all functions of the same stack with these permissions. */
  sharedRole(name: string, permissions: readonly PolicyStatement[]): FunctionRole {
    const stack = this.stackOf(name);
    const roles = this.#roles.get(stack) ?? new SharedRoles(stack, 'Roles');
    this.#roles.set(stack, roles);
    return roles.roleFor(permissions);
  }

  permissions(
    { tableActions, uses, items }: Pick<DeployedFunction, 'tableActions' | 'uses' | 'items'>,
    furtherPermissions: readonly PolicyStatement[] = [],
  ): PolicyStatement[] {
    const { table, log: logGroup } = this.#props;
    return endpointPermissions({ table, logGroup, tableActions, uses, items, furtherPermissions });
  }
}
