import { type IndexName, tableDefinition } from '#lib/service/ground/config/table-definition.ts';

const EXPIRY = tableDefinition.timeToLiveAttribute;

/** A condition on an item; all parts must hold. */
export interface Condition {
  /** There is no such item. */
  readonly isNew?: true;
  /** There is no such item, or it has expired by this time in unix seconds: TTL removes late. */
  readonly isGoneAt?: number;
  /** The item exists. */
  readonly exists?: true;
  /** Attributes that hold exactly these values; undefined = the attribute is absent. */
  readonly equals?: Readonly<Record<string, unknown>>;
  /** Attributes that hold one of these values. */
  readonly oneOf?: Readonly<Record<string, readonly unknown[]>>;
  /** Attributes that are absent or hold less than these values. */
  readonly below?: Readonly<Record<string, unknown>>;
}

/** A change of an item. Undefined values in `set` remove the attribute. */
export interface ItemChange {
  readonly set?: Readonly<Record<string, unknown>>;
  /** Attributes that are set only where they are absent. */
  readonly setOnce?: Readonly<Record<string, unknown>>;
  /** Numbers are added to numbers, sets to sets. */
  readonly add?: Readonly<Record<string, unknown>>;
  /** Members removed from sets. */
  readonly takeOut?: Readonly<Record<string, unknown>>;
}

interface Placeholders {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/** Names and values of one request, shared by all parts of its expressions. */
function placeholders() {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  let count = 0;
  return {
    name: (attribute: string): string => {
      // A placeholder takes letters, digits and underscores only; a counter's field has others, too.
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

/** Of a list of an index: the positions between which a query reads. */
export interface ListPart {
  /** Absent = the one of programs. */
  readonly index?: IndexName;
  /** Excluded; but where `downTo` is there, too, a query has to include it. */
  readonly after?: string;
  /** The lowest one, included, of a list that begins with the newest. */
  readonly downTo?: string;
  readonly newestFirst?: boolean;
}

/** The fields of a query of a list. A sort key takes a single condition. */
export function listFields(list: string, { index = 'gsi1', after, downTo, newestFirst }: ListPart) {
  const sk = `${index}sk`;
  const conditions = [
    ...(after && downTo ? [`${sk} BETWEEN :downTo AND :after`] : []),
    ...(after && !downTo ? [`${sk} ${newestFirst ? '<' : '>'} :after`] : []),
    ...(downTo && !after ? [`${sk} >= :downTo`] : []),
  ];
  return {
    IndexName: index,
    KeyConditionExpression: [`${index}pk = :list`, ...conditions].join(' AND '),
    ExpressionAttributeValues: {
      ':list': list,
      ...(after && { ':after': after }),
      ...(downTo && { ':downTo': downTo }),
    },
  };
}

/** The expression fields of a ConditionCheck, and of a Put or Delete with a condition. */
export function conditionFields(condition: Condition) {
  const scope = placeholders();
  return { ConditionExpression: conditionText(condition, scope), ...scope.used() };
}

/** The expression fields of an Update. */
export function updateFields(change: ItemChange, condition: Condition | undefined) {
  const scope = placeholders();
  return {
    UpdateExpression: changeText(change, scope),
    ...(condition && { ConditionExpression: conditionText(condition, scope) }),
    ...scope.used(),
  };
}
