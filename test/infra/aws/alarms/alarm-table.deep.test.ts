import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { propertiesOf, templateWith } from '#test/infra/aws/synthesized.ts';

// Every setting that adds something which reports to the operator.
const template = templateWith({
  alarmEmail: 'ops@acme.test',
  canary: 'true',
  mailFrom: 'referrals@acme.test',
  monthlyBudgetUsd: '250',
});

interface Alarm {
  readonly AlarmName: string;
  readonly DatapointsToAlarm: number;
  readonly Period?: number;
  /** The parts of an expression. */
  readonly Metrics?: readonly { readonly MetricStat?: { readonly Period: number } }[];
}

/** How long the cause lasts before the alarm rings, in minutes. */
function delayOf({ DatapointsToAlarm, Period, Metrics = [] }: Alarm): number {
  const periods = new Set([Period, ...Metrics.map(({ MetricStat }) => MetricStat?.Period)].filter((each) => each));
  expect(periods.size).toBe(1);
  return (DatapointsToAlarm * [...periods][0]!) / 60;
}

const textOf = (minutes: number): string =>
  minutes < 60 ? `${minutes} minutes` : minutes === 60 ? '1 hour' : `${minutes / 60} hours`;

const delays: Readonly<Record<string, string>> = Object.fromEntries([
  ...propertiesOf(template, 'AWS::CloudWatch::Alarm').map((alarm: Alarm) => [
    alarm.AlarmName.replace('Service-', ''),
    textOf(delayOf(alarm)),
  ]),
  // AWS promises no time for these.
  ...propertiesOf(template, 'AWS::Budgets::Budget').map(() => ['Budget', 'a day']),
  ...propertiesOf(template, 'AWS::Events::Rule')
    .filter(({ EventPattern }) => EventPattern?.source.includes('aws.kms'))
    .map(() => ['KeyDisabled', 'minutes']),
]);

/** The rows of the table of alarms: name, place in the runbook, delay. */
const rows = [
  ...readFileSync('infra/alarms.md', 'utf8').matchAll(
    /^\| [^|]+ \| \[(\w+)\]\((runbook\/[\w-]+[.]md)#(\w+)\) +\| ([^|]+?) +\| [^|]*\w[^|]* \|$/gm,
  ),
].map(([, name = '', file = '', heading, delay = '']) => ({ name, file, heading, delay }));

it('the table in alarms.md lists every deployed alarm once, with its delay, and no other alarm', () => {
  expect(Object.fromEntries(rows.map(({ name, delay }) => [name, delay]))).toEqual(delays);
  expect(rows).toHaveLength(Object.keys(delays).length);
});

/** The number of metrics that the alarms of a template read. */
const metricsOf = (of: ReturnType<typeof templateWith>): number =>
  propertiesOf(of, 'AWS::CloudWatch::Alarm')
    .map(({ Metrics }: Alarm) => Metrics?.filter(({ MetricStat }) => MetricStat).length ?? 1)
    .reduce((sum, one) => sum + one, 0);

it('the documents state the cost of the alarms, 0.10 USD a month for each metric that an alarm reads', () => {
  const [least, most] = [templateWith(), template].map((each) => metricsOf(each));
  expect(readFileSync('infra/README.md', 'utf8')).toContain(`| alarms: 0.10 for each of ${least} metrics;`);
  expect(readFileSync('infra/alarms.md', 'utf8')).toContain(
    `They cost ${(least! / 10).toFixed(2)} USD a month, ${(most! / 10).toFixed(2)} with mails and canary.`,
  );
});

it.each(rows)(
  '$name is linked in the table of alarms.md to a section of the runbook that says what to do',
  ({ name, file, heading }) => {
    expect(heading).toBe(name.toLowerCase());
    expect(readFileSync(`infra/${file}`, 'utf8')).toMatch(new RegExp(`^### ${name}\n\n\\S`, 'm'));
  },
);
