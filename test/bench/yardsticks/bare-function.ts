import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { readFileSync } from 'node:fs';
import { env } from 'node:process';
import { engineClient } from '#infra/local/database/engine-client.ts';
import { bareBrands, type RecordedBrands } from '#test/bench/support/tables/bare-brands.ts';
import { statusOf } from '#test/bench/support/operations.ts';

// Replaces each tracking function by a handler that makes the same table calls and does nothing else.

const recorded = JSON.parse(readFileSync(env.RECORDED_CALLS!, 'utf8')) as RecordedBrands;
const client = engineClient(env.DYNAMODB_ENDPOINT!, env.AWS_REGION!);
const answer = bareBrands(client, recorded);

export async function handler({ rawPath, headers: sent, body = '{}' }: APIGatewayProxyEventV2) {
  const key = sent.authorization?.replace('Bearer ', '');
  const operation = await answer(rawPath, key, JSON.parse(body) as Record<string, unknown>);
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return { statusCode: statusOf[operation], headers, body: '{"success":true}' };
}
