import { tableDefinition } from '#lib/service/ground/config/table-definition.ts';

const EXPIRY = tableDefinition.timeToLiveAttribute;

/** A condition on an item; all its parts must hold. */
export interface Condition {
  /** The item does not exist. */
  readonly isNew?: true;
  /** The item does not exist, or it expired before this time (unix seconds) and DynamoDB has not removed it yet. */
  readonly isGoneAt?: number;
  readonly exists?: true;
  /** Attributes that must equal these values; undefined requires the attribute to be absent. */
  readonly equals?: Readonly<Record<string, unknown>>;
  /** Attributes that must equal one of the listed values. */
  readonly oneOf?: Readonly<Record<string, readonly unknown[]>>;
  /** Attributes that must be absent or below these values. */
  readonly below?: Readonly<Record<string, unknown>>;
}

/** A change of an item. Undefined values in `set` remove the attribute. */
export interface ItemChange {
  readonly set?: Readonly<Record<string, unknown>>;
  /** Attributes that are set only if absent. */
  readonly setOnce?: Readonly<Record<string, unknown>>;
  /** Adds these numbers to numeric attributes, and these members to attributes that are sets. */
  readonly add?: Readonly<Record<string, unknown>>;
  /** Removes these members from attributes that are sets. */
  readonly takeOut?: Readonly<Record<string, unknown>>;
}

interface Placeholders {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/** Collects placeholders for attribute names and values. All expressions of a request share them. */
function placeholders() {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  let count = 0;
  return {
    name: (attribute: string): string => {
      // Placeholders allow only letters, digits and underscores; a counter's field may contain others.
      const placeholder = /^\w+$/.test(attribute) ? `#${attribute}` : `#_${Object.keys(names).length}`;
      names[placeholder] = attribute;
      return placeholder;
    },
    value: (value: unknown): string => {
      const placeholder = `:v${count++}`;
      values[placeholder] = value;
      return placeholder;
    },
    used: (): Placeholders => ({
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
      ...(count > 0 && { ExpressionAttributeValues: values }),
    }),
  };
}

type Scope = ReturnType<typeof placeholders>;

function conditionText(
  { isNew, isGoneAt, exists, equals = {}, oneOf = {}, below = {} }: Condition,
  { name, value }: Scope,
): string {
  return [
    ...(isNew ? [`attribute_not_exists(${name('pk')})`] : []),
    ...(isGoneAt === undefined
      ? []
      : [`(attribute_not_exists(${name('pk')}) OR ${name(EXPIRY)} <= ${value(isGoneAt)})`]),
    ...(exists ? [`attribute_exists(${name('pk')})`] : []),
    ...Object.entries(equals).map(([attribute, wanted]) =>
      wanted === undefined ? `attribute_not_exists(${name(attribute)})` : `${name(attribute)} = ${value(wanted)}`,
    ),
    ...Object.entries(oneOf).map(
      ([attribute, wanted]) => `${name(attribute)} IN (${wanted.map((one) => value(one)).join(', ')})`,
    ),
    ...Object.entries(below).map(
      ([attribute, limit]) => `(attribute_not_exists(${name(attribute)}) OR ${name(attribute)} < ${value(limit)})`,
    ),
  ].join(' AND ');
}

const clause = (keyword: string, parts: readonly string[]) =>
  parts.length > 0 ? [`${keyword} ${parts.join(', ')}`] : [];

function changeText({ set = {}, setOnce = {}, add = {}, takeOut = {} }: ItemChange, { name, value }: Scope): string {
  const entries = Object.entries(set);
  const pairs = (members: Readonly<Record<string, unknown>>) =>
    Object.entries(members).map(([attribute, amount]) => `${name(attribute)} ${value(amount)}`);
  return [
    ...clause('SET', [
      ...entries.filter(([, to]) => to !== undefined).map(([attribute, to]) => `${name(attribute)} = ${value(to)}`),
      ...Object.entries(setOnce).map(
        ([attribute, to]) => `${name(attribute)} = if_not_exists(${name(attribute)}, ${value(to)})`,
      ),
    ]),
    ...clause(
      'REMOVE',
      entries.filter(([, to]) => to === undefined).map(([attribute]) => name(attribute)),
    ),
    ...clause('ADD', pairs(add)),
    ...clause('DELETE', pairs(takeOut)),
  ].join(' ');
}

/** The expression fields of a ConditionCheck, or of a Put or Delete with a condition. */
export function conditionFields(condition: Condition) {
  const scope = placeholders();
  return { ConditionExpression: conditionText(condition, scope), ...scope.used() };
}

export function updateFields(change: ItemChange, condition: Condition | undefined) {
  const scope = placeholders();
  return {
    UpdateExpression: changeText(change, scope),
    ...(condition && { ConditionExpression: conditionText(condition, scope) }),
    ...scope.used(),
  };
}
