// What --help says about fields whose schema does not, and what JSON of a field looks like.
const HELP: Readonly<Record<string, string>> = {
  account_id: 'Id of an account',
  amount: 'Such as 50, or -50',
  base_url: 'Address of the upstream',
  budget: 'The most that is spent in a period; null = no limit',
  channel_id: 'Id of a channel',
  enabled: 'true or false',
  endpoint: 'Path of the call, such as /v1/chat/completions',
  expires_at: 'ISO time or Unix seconds; null = never',
  flag: 'Name of a flag: only its accounts have the model',
  group: 'Name of a group',
  headers: 'More headers for the upstream, JSON',
  id: 'Id of the row',
  ip_allow: 'Addresses and ranges that may use it; empty = all',
  keys: 'Keys of the upstream, with commas between',
  limit: 'The most rows of a page',
  max_output_tokens: 'The longest answer; null = as the upstream has it',
  models: 'Names and patterns, such as gpt-*; null = all',
  name: 'Its name',
  note: 'What it is for; stands in the ledger',
  options: 'What is special about it, JSON',
  origins: 'Web pages that may use it; empty = all',
  owned_by: 'Vendor that clients see',
  price: 'What it costs, JSON; null = not for sale',
  quota: 'The most that it may spend; null = no limit',
  rate: 'Limits, JSON; null = none',
  status: 'HTTP status of the answer',
  subject: 'What it is about, such as the id of a channel',
  token_id: 'Id of a token',
  weight: 'Share among channels of one priority',
};

const EXAMPLES: Readonly<Record<string, string>> = {
  price: '{"unit":"tokens","input":"0.15","output":"0.6"}',
  rate: '{"rpm":60,"concurrency":5}',
  headers: '{"x-team":"search"}',
  models: '{"gpt-4o":"gpt-4o-2024-08-06"}',
  options: '{"strict":true}',
};

const CHANNEL_OPTIONS = '{"rpm":600}';

export function helpOf(field: string): string | undefined {
  return HELP[field];
}

/** Quotes of a shell stand around it. */
export function exampleOf(field: string, schema: string | undefined): string {
  const json = field === 'options' && schema?.startsWith('Channel') === true ? CHANNEL_OPTIONS : EXAMPLES[field];
  return json === undefined ? '' : `, such as '${json}'`;
}
