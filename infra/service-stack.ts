import { CfnOutput, Stack } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { join } from 'node:path';
import { Api } from '#infra/api.ts';
import { bundleFolder } from '#infra/bundle.ts';
import { DataTable } from '#infra/data-table.ts';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { EndpointFunction } from '#infra/endpoint-function.ts';
import { functionEnvironment } from '#infra/environment.ts';
import { consumers } from '#infra/routes.ts';
import type { Settings } from '#infra/settings.ts';
import { stages } from '#infra/stages.ts';
import { StreamConsumer } from '#infra/stream-consumer.ts';

export interface ServiceStackProps {
  readonly settings: Settings;
  /** Default: what `npm run bundle` wrote. */
  readonly codeOf?: (functionName: string) => Code;
}

const bundledCode = (functionName: string): Code =>
  Code.fromAsset(join(bundleFolder, functionName), { exclude: ['*.map'] });

/** One installation of the service. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { settings, codeOf = bundledCode }: ServiceStackProps) {
    const stage = stages[settings.stage];
    super(scope, id, { terminationProtection: stage.deletionProtection });

    const table = new DataTable(this, 'Table', stage);
    const api = new Api(this, 'Api', stage);
    const environment = functionEnvironment(settings, { apiUrl: api.url, tableName: table.tableName });

    for (const deployed of deployedFunctions) {
      const { name, tableActions, listsByIndex } = deployed;
      const code = codeOf(name);
      api.serve(
        deployed,
        new EndpointFunction(this, name, { stage, code, environment, table, tableActions, listsByIndex }),
      );
    }

    for (const { function: name, tableActions, batchSize } of consumers) {
      const code = codeOf(name);
      const consumer = new EndpointFunction(this, name, {
        stage,
        code,
        environment,
        table,
        tableActions,
        listsByIndex: false,
      });
      new StreamConsumer(this, `${name} source`, { table, consumer, batchSize });
    }

    new CfnOutput(this, 'BaseUrl', { value: environment.BASE_URL });
    new CfnOutput(this, 'TableName', { value: table.tableName });
  }
}
