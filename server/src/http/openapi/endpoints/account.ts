// Models, balances and quotes, as the holder of a token sees them, in the OpenAPI document.
import { quotable, quoteFields } from '../../../endpoints/quote/quote.ts';
import { bodyFrom } from '../from-fields.ts';
import {
  type Components,
  type Descriptions,
  either,
  flag,
  integer,
  list,
  map,
  number,
  oneWord,
  orNull,
  parameter,
  ref,
  text,
  whole,
  words,
} from '../schema.ts';

const amount = (description: string) => text(description, { pattern: '^-?[0-9]+(?:\\.[0-9]+)?$' });
const amountOrNull = (description: string) => orNull(amount(description));
const entry = {
  id: text(),
  object: oneWord('model'),
  created: integer('Unix seconds'),
  owned_by: text(),
};
const date = text(undefined, { format: 'date' });
const dates = [
  parameter('start_date', date, 'First day, such as 2026-01-31; 100 days ago'),
  parameter('end_date', date, 'Day after the last one; tomorrow'),
];

export const components: Components = {
  ModelEntry: whole(entry),
  ListedModelEntry: whole({ ...entry, supported_endpoint_types: list(text()) }),
  TokenUsage: whole({
    code: flag(),
    message: text(),
    data: whole({
      object: oneWord('token_usage'),
      name: text(),
      total_granted: integer('In 500,000ths of the currency; 0 without a quota'),
      total_used: integer(),
      total_available: integer(),
      unlimited_quota: flag(),
      model_limits: map(undefined, flag()),
      model_limits_enabled: flag(),
      expires_at: integer('Unix seconds; 0: never'),
    }),
  }),
  Subscription: whole({
    object: oneWord('billing_subscription'),
    has_payment_method: flag(),
    soft_limit_usd: number(),
    hard_limit_usd: number(),
    system_hard_limit_usd: number(),
    access_until: integer('Unix seconds; 0: no end'),
  }),
  BillingUsage: whole({ object: oneWord('list'), total_usage: number('In hundredths of the currency') }),
};

const model = { id: 'gpt-example', object: 'model', created: 1_790_000_000, owned_by: 'openai' };
const subscription = (operationId: string): Descriptions[string] => ({
  operationId,
  answer: ref('Subscription'),
  answerExample: {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: 10,
    hard_limit_usd: 10,
    system_hard_limit_usd: 10,
    access_until: 0,
  },
});
const billingUsage = (operationId: string): Descriptions[string] => ({
  operationId,
  answer: ref('BillingUsage'),
  answerExample: { object: 'list', total_usage: 123.4 },
  query: dates,
});
const tokenUsage = (operationId: string): Descriptions[string] => ({
  operationId,
  answer: ref('TokenUsage'),
  answerExample: {
    code: true,
    message: 'ok',
    data: {
      object: 'token_usage',
      name: 'my token',
      total_granted: 5_000_000,
      total_used: 1_000_000,
      total_available: 4_000_000,
      unlimited_quota: false,
      model_limits: {},
      model_limits_enabled: false,
      expires_at: 0,
    },
  },
});

export const descriptions: Descriptions = {
  'GET /v1/models': {
    operationId: 'listModels',
    answer: whole({ success: flag(), object: oneWord('list'), data: list(ref('ListedModelEntry')) }),
    answerExample: { success: true, object: 'list', data: [{ ...model, supported_endpoint_types: ['openai'] }] },
    says: 'Exactly the models that the token may use, each with the kinds of endpoint it is for',
  },
  'GET /v1/models/{model}': { operationId: 'getModel', answer: ref('ModelEntry'), answerExample: model },
  'GET /v1/usage': {
    operationId: 'getUsage',
    answer: whole({
      object: oneWord('usage'),
      currency: text(),
      token: whole({
        name: text(),
        quota: amountOrNull('null: no quota'),
        used: amount('Spent so far'),
        remaining: amountOrNull('null: no quota'),
        expires_at: orNull(integer('Unix seconds')),
        models: orNull(list(text())),
        rate: whole({ rpm: orNull(integer()), tpm: orNull(integer()), concurrency: orNull(integer()) }),
      }),
      account: whole({
        balance: amount('What is left'),
        budget: amountOrNull('null: none'),
        budget_used: amount('Of the budget'),
      }),
    }),
    answerExample: {
      object: 'usage',
      currency: 'USD',
      token: {
        name: 'my token',
        quota: '10.000000000',
        used: '2.000000000',
        remaining: '8.000000000',
        expires_at: null,
        models: null,
        rate: { rpm: 60, tpm: null, concurrency: null },
      },
      account: { balance: '98.000000000', budget: null, budget_used: '0.000000000' },
    },
  },
  'GET /v1/dashboard/billing/subscription': subscription('getBillingSubscription'),
  'GET /dashboard/billing/subscription': subscription('getBillingSubscriptionUnversioned'),
  'GET /v1/dashboard/billing/usage': billingUsage('getBillingUsage'),
  'GET /dashboard/billing/usage': billingUsage('getBillingUsageUnversioned'),
  'GET /api/usage/token/': tokenUsage('getTokenUsage'),
  'GET /api/usage/token': tokenUsage('getTokenUsageUnslashed'),
  'POST /v1/quote': {
    operationId: 'quoteRequest',
    body: bodyFrom({
      fields: quoteFields,
      required: ['endpoint', 'body'],
      notes: {
        endpoint: { about: 'Path of the endpoint that the body is for', schema: words(Object.keys(quotable)) },
        body: { about: 'The body, as that endpoint takes it', schema: map() },
      },
    }),
    example: {
      endpoint: '/v1/chat/completions',
      body: { model: 'gpt-example', messages: [{ role: 'user', content: 'Hi' }] },
    },
    answer: whole({
      endpoint: text(),
      object: oneWord('quote'),
      model: text(),
      group: text(),
      multiplier: text(),
      price: whole({ unit: text() }),
      amount: amount('At most, in the currency'),
      arithmetic: text('How it is computed'),
      usage: map(undefined, either(undefined, number(), text())),
      exact: flag(),
    }),
  },
};
