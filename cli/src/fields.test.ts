// Options of a command: how they are read and what --help says about them (contract-2 11).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command, CommanderError } from 'commander';
import { channelCreate } from '#contract/channels.ts';
import { modelPut } from '#contract/models.ts';
import { tokenCreate } from '#contract/tokens.ts';
import { addFields, readFields } from './fields.ts';

function read(schema: Parameters<typeof addFields>[1], ...args: string[]): Record<string, unknown> {
  const command = new Command('x').exitOverride().configureOutput({ writeErr: () => {} });
  const fields = addFields(command, schema);
  command.parse(args, { from: 'user' });
  return readFields(fields, command.opts());
}

function refusal(schema: Parameters<typeof addFields>[1], ...args: string[]): string {
  try {
    read(schema, ...args);
  } catch (error) {
    assert.ok(error instanceof CommanderError, String(error));
    return error.message;
  }
  return assert.fail('it was read');
}

test('a field that is JSON says so, with an example, where it is broken (contract-2 11)', () => {
  for (const broken of ['{"unit":"tokens","input":"0.15"', 'tokens'])
    assert.match(refusal(modelPut, '--price', broken), /It must be JSON, such as '\{"unit":"tokens",.*\}'\.$/);
  const token = ['--account-id', 'acc_1', '--name', 'n'];
  assert.match(refusal(tokenCreate, ...token, '--rate', '{'), /It must be JSON, such as '\{"rpm":60.*\}'\.$/);
  assert.match(refusal(tokenCreate, ...token, '--options', 'x'), /It must be JSON, such as '\{"strict":true\}'\.$/);
  assert.match(refusal(modelPut, '--enabled', 'yes'), /It must be true or false\.$/);
  assert.match(refusal(modelPut, '--max-output-tokens', 'x'), /It must be a whole number\.$/);
  const channel = ['--name', 'n', '--provider', 'openai', '--base-url', 'https://x.example'];
  assert.match(refusal(channelCreate, ...channel, '--models', 'a'), /It must be JSON, such as '\{"gpt-4o":/);
  assert.match(refusal(channelCreate, ...channel, '--options', 'a'), /It must be JSON, such as '\{"rpm":600\}'\.$/);
  assert.deepEqual(read(modelPut, '--price', '{"unit":"request","amount":"1"}'), {
    price: { unit: 'request', amount: '1' },
  });
  assert.deepEqual(read(modelPut, '--price', 'null'), { price: null });
});

test('times are ISO 8601 or Unix seconds (contract-2 11)', () => {
  const token = ['--account-id', 'acc_1', '--name', 'n', '--expires-at'];
  for (const text of ['2027-01-01T00:00:00Z', '2027-01-01', '1798761600'])
    assert.equal(read(tokenCreate, ...token, text)['expires_at'], 1_798_761_600);
  assert.equal(read(tokenCreate, ...token, 'null')['expires_at'], null);
  assert.equal(read(modelPut, '--created', '2027-01-01T01:00:00+01:00')['created'], 1_798_761_600);
  assert.match(refusal(tokenCreate, ...token, 'tomorrow'), /It must be a time such as 2027-01-01T00:00:00Z/);
});
