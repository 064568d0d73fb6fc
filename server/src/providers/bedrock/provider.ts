// Amazon Bedrock: Claude by InvokeModel in the words of the messages protocol, all other models by Converse.
import { readComplaint } from '../../protocols/bedrock-converse/error.ts';
import { problemWithAws, signForAws } from '../credentials/aws.ts';
import { readModelPage } from '../model-list.ts';
import type { BodyRewrite, Envelope, Provider } from '../provider.ts';
import { chatTest } from '../test-calls.ts';
import { converseEvents, invokeEvents } from './stream-events.ts';
import { asCount, asRecord, parseRecord } from '../../protocols/json/json-value.ts';

/** `anthropic.claude-sonnet-4-5-20250929-v1:0`, also behind a region (`us.`) or at the end of an ARN. */
const CLAUDE = /(?:^|[./])anthropic\.claude/;
/** Inference profiles of a geography stand for the model behind it. */
const GEOGRAPHY = /^(?:us|us-gov|eu|apac|jp|au|ca|sa|global)\.(?=anthropic\.)/;

function isClaude(model: string): boolean {
  return CLAUDE.test(model);
}

/** The name that CountTokens takes; undefined where it takes none: profiles of one's own do not tell their model. */
function countedModel(model: string): string | undefined {
  return model.startsWith('arn:') ? undefined : model.replace(GEOGRAPHY, '');
}

function modelPath(model: string, action: string): string {
  return `/model/${encodeURIComponent(model)}/${action}`;
}

const REGION = /^https?:\/\/(?:[\w-]+\.)?bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\./;
const VERSION = JSON.stringify('bedrock-2023-05-31');

/** The model stands in the path, a stream is another path, and betas are a field. */
const asInvoked: BodyRewrite = ({ headers }) => {
  const beta = headers?.['anthropic-beta'];
  const betas = beta?.split(',').map((one) => one.trim());
  return {
    set: { anthropic_version: VERSION, ...(betas !== undefined && { anthropic_beta: JSON.stringify(betas) }) },
    remove: ['model', 'stream'],
  };
};

/**
 * CountTokens: the body of a call to InvokeModel inside of another, and the count under another name.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CountTokens.html
 */
const countEnvelope: Envelope = {
  /** A call to the model must say how much it may answer, also one that is only counted. */
  write(body) {
    const request = parseRecord(body) ?? {};
    const budget = asCount(asRecord(request['thinking'])?.['budget_tokens']) ?? 0;
    const whole = JSON.stringify({ max_tokens: budget + 1, ...request });
    return Buffer.from(JSON.stringify({ input: { invokeModel: { body: Buffer.from(whole).toString('base64') } } }));
  },
  read(body) {
    const tokens = asCount(parseRecord(body)?.['inputTokens']);
    return tokens === undefined ? undefined : Buffer.from(JSON.stringify({ input_tokens: tokens }));
  },
};

export const bedrock: Provider = {
  name: 'bedrock',
  facts: {
    label: 'Amazon Bedrock',
    about: 'Models of Amazon Bedrock: Claude by InvokeModel, all others by Converse',
    baseUrl: {
      example: 'https://bedrock-runtime.us-east-1.amazonaws.com',
      hint: 'The host of a region; options.region where the host does not name it',
    },
    key: { hint: 'API key, sent as a bearer token; or ACCESS_KEY:SECRET or ACCESS_KEY:SECRET:SESSION, which sign' },
    units: ['tokens', 'request'],
    options: ['region'],
    presets: [
      {
        vendor: 'Amazon Bedrock',
        baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com',
        note: 'Upstream names are ids of models, inference profiles or ARNs',
      },
    ],
  },
  paths: {
    messages: (model, stream) => modelPath(model, stream ? 'invoke-with-response-stream' : 'invoke'),
    'count-messages': (model) => modelPath(countedModel(model) ?? model, 'count-tokens'),
    converse: (model, stream) => modelPath(model, stream ? 'converse-stream' : 'converse'),
  },
  carries(operation, model) {
    if (operation === 'converse') return !isClaude(model);
    return isClaude(model) && (operation === 'messages' || countedModel(model) !== undefined);
  },
  rewrites: { messages: asInvoked, 'count-messages': asInvoked },
  envelopes: { 'count-messages': countEnvelope },
  framings: { messages: invokeEvents, converse: converseEvents },
  // The model failed, not the request.
  statuses: { 424: 502 },
  endpointTypes: ['compat', 'compat-response'],
  sign: signForAws('bedrock', (baseUrl) => REGION.exec(baseUrl)?.[1]),
  checkCredential: problemWithAws,
  // The list is at the host that manages models.
  models: {
    path: '/foundation-models',
    baseUrl: (baseUrl) => baseUrl.replace(/\/\/bedrock-runtime(?=[.-])/, '//bedrock'),
    readComplaint,
    read: readModelPage({ list: 'modelSummaries', id: 'modelId' }),
  },
  test: chatTest,
};
