// Well-known vendors and programs that speak the compatible protocol. What a vendor calls a preview is not in `speaks`: the
// gateway translates into what surely works, and an operator can widen it. `dropFields` has
// only what a vendor's page or public reports name as refused.
import type { Preset } from '../provider-facts.ts';

const CHAT = ['chat'];
const TEXT = ['chat', 'completions'];
const NO_KEY = 'Needs no key; runs on a machine of your own';
const REASONING = 'Reasoning comes as reasoning_content';

interface More {
  note?: string;
  drop?: string;
}

/** `drop` is a list of fields, separated by spaces. */
function vendor(name: string, baseUrl: string, speaks?: readonly string[], { note, drop }: More = {}): Preset {
  return {
    vendor: name,
    baseUrl,
    ...(speaks !== undefined && { speaks }),
    ...(note !== undefined && { note }),
    ...(drop !== undefined && { dropFields: drop.split(' ') }),
  };
}

const vendors: readonly Preset[] = [
  vendor('OpenAI', 'https://api.openai.com/v1'),
  vendor('DeepSeek', 'https://api.deepseek.com/v1', CHAT, { note: REASONING }),
  vendor('Mistral', 'https://api.mistral.ai/v1', CHAT, {
    note: 'Refuses fields that it does not know',
    drop: 'store user seed logit_bias logprobs top_logprobs service_tier metadata',
  }),
  vendor('Groq', 'https://api.groq.com/openai/v1', CHAT, {
    note: 'Reasoning comes as reasoning',
    drop: 'logprobs top_logprobs logit_bias',
  }),
  vendor('xAI', 'https://api.x.ai/v1', ['chat', 'responses'], {
    note: 'Reasoning models refuse stop and the penalties',
  }),
  vendor('OpenRouter', 'https://openrouter.ai/api/v1', TEXT, {
    note: 'Upstream names have the vendor in front, such as openai/gpt-4o',
  }),
  vendor('Together', 'https://api.together.xyz/v1', TEXT),
  vendor('Fireworks', 'https://api.fireworks.ai/inference/v1', TEXT, {
    note: 'Upstream names begin with accounts/fireworks/models/',
  }),
  vendor('Moonshot', 'https://api.moonshot.ai/v1', CHAT, { note: 'Accounts of China use https://api.moonshot.cn/v1' }),
  vendor('Z.ai', 'https://api.z.ai/api/paas/v4', CHAT, { note: REASONING }),
  vendor('Zhipu, China', 'https://open.bigmodel.cn/api/paas/v4', CHAT, { note: REASONING }),
  vendor('MiniMax', 'https://api.minimax.io/v1', CHAT, {
    note: 'Accounts of China use https://api.minimaxi.com/v1; reasoning stands in the text between think tags',
  }),
  vendor('Qwen', 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', CHAT, {
    note: 'Singapore; keys belong to one region; reasoning comes as reasoning_content',
  }),
  vendor('Qwen, China', 'https://dashscope.aliyuncs.com/compatible-mode/v1', CHAT, {
    note: 'Beijing; keys belong to one region; reasoning comes as reasoning_content',
  }),
  vendor('Doubao (Volcengine Ark)', 'https://ark.cn-beijing.volces.com/api/v3', CHAT, {
    note: 'Upstream names are models or endpoints (ep-...); reasoning comes as reasoning_content',
  }),
  vendor('BytePlus ModelArk', 'https://ark.ap-southeast.bytepluses.com/api/v3', CHAT, { note: REASONING }),
  vendor('SiliconFlow', 'https://api.siliconflow.com/v1', CHAT, {
    note: 'Accounts of China use https://api.siliconflow.cn/v1; reasoning comes as reasoning_content',
  }),
  vendor('Tencent Hunyuan', 'https://api.hunyuan.cloud.tencent.com/v1', CHAT, { note: REASONING }),
  vendor('Baichuan', 'https://api.baichuan-ai.com/v1', CHAT, {}),
  vendor('StepFun', 'https://api.stepfun.com/v1', CHAT, {}),
  vendor('Baidu Qianfan', 'https://qianfan.baidubce.com/v2', CHAT, { note: REASONING }),
  vendor('NVIDIA', 'https://integrate.api.nvidia.com/v1', TEXT, {
    note: 'Some models refuse fields that they do not know',
  }),
  vendor('Cerebras', 'https://api.cerebras.ai/v1', TEXT, {
    note: 'Refuses the penalties',
    drop: 'frequency_penalty presence_penalty logit_bias',
  }),
  vendor('SambaNova', 'https://api.sambanova.ai/v1', CHAT),
  vendor('Perplexity', 'https://api.perplexity.ai', CHAT, {
    note: 'Without /v1',
  }),
  vendor('Cohere', 'https://api.cohere.ai/compatibility/v1', CHAT, {
    note: 'Its compatible address; rerank is a kind of its own',
  }),
  vendor('AI21', 'https://api.ai21.com/studio/v1', CHAT, {}),
  vendor('Hugging Face', 'https://router.huggingface.co/v1', CHAT, {
    note: 'Upstream names may end in the provider, such as :groq',
  }),
  vendor('GitHub Models', 'https://models.github.ai/inference', CHAT, {
    note: 'The key is a GitHub token; upstream names have the vendor in front',
  }),
  vendor('Amazon Bedrock, compatible', 'https://bedrock-mantle.us-east-1.api.aws/v1', CHAT, {
    note: 'The host of a region; the key is an API key of Bedrock; not every model',
  }),
  vendor('Google Gemini, compatible', 'https://generativelanguage.googleapis.com/v1beta/openai', CHAT, {
    note: 'The kind gemini is closer to it',
  }),
  vendor('Cloudflare Workers AI', 'https://api.cloudflare.com/client/v4/accounts/ACCOUNT_ID/ai/v1', CHAT, {
    note: 'Put in the account; upstream names begin with @cf/',
  }),
  vendor('DeepInfra', 'https://api.deepinfra.com/v1/openai', TEXT),
  vendor('Nebius', 'https://api.tokenfactory.nebius.com/v1', TEXT),
  vendor('Novita', 'https://api.novita.ai/openai/v1', TEXT),
  vendor('Hyperbolic', 'https://api.hyperbolic.xyz/v1', TEXT),
  vendor('Lambda', 'https://api.lambda.ai/v1', TEXT, { note: 'Its public models may have ended; check before use' }),
  vendor('Databricks', 'https://WORKSPACE.cloud.databricks.com/serving-endpoints', CHAT, {
    note: 'Put in the workspace; upstream names are serving endpoints',
  }),
  vendor('Snowflake Cortex', 'https://ACCOUNT.snowflakecomputing.com/api/v2/cortex/v1', CHAT, {
    note: 'Put in the account; the key is a programmatic access token',
  }),
  vendor('IBM watsonx', 'https://REGION.ml.cloud.ibm.com/ml/gateway/v1', TEXT, {
    note: 'Put in the region; the model gateway, with its API key',
  }),
  vendor('Vercel AI Gateway', 'https://ai-gateway.vercel.sh/v1', CHAT, {
    note: 'Upstream names have the vendor in front',
  }),
  vendor('Chutes', 'https://llm.chutes.ai/v1', TEXT),
  vendor('Featherless', 'https://api.featherless.ai/v1', TEXT),
  vendor('Upstage', 'https://api.upstage.ai/v1', CHAT),
  vendor('Venice', 'https://api.venice.ai/api/v1', CHAT),
];

/** On machines of one's own. */
const programs: readonly Preset[] = [
  vendor('Ollama', 'http://127.0.0.1:11434/v1', TEXT, { note: NO_KEY }),
  vendor('vLLM', 'http://127.0.0.1:8000/v1', TEXT, { note: 'A key only where it was started with --api-key' }),
  vendor('LM Studio', 'http://127.0.0.1:1234/v1', TEXT, { note: NO_KEY }),
  vendor('llama.cpp', 'http://127.0.0.1:8080/v1', TEXT, { note: 'A key only where it was started with --api-key' }),
  vendor('SGLang', 'http://127.0.0.1:30000/v1', TEXT, { note: 'A key only where it was started with --api-key' }),
  vendor('Text Generation Inference', 'http://127.0.0.1:3000/v1', TEXT, { note: NO_KEY }),
  vendor('LocalAI', 'http://127.0.0.1:8080/v1', TEXT, { note: NO_KEY }),
  vendor('Tollgate', 'http://127.0.0.1:8080/v1', undefined, {
    note: 'Another gateway of this kind; its token is the key',
  }),
  vendor('new-api', 'http://127.0.0.1:3000/v1', undefined, { note: 'Videos too, in the task style' }),
  vendor('LiteLLM', 'http://127.0.0.1:4000/v1', undefined, { note: 'Its virtual key is the key' }),
];

export const presets: readonly Preset[] = [...vendors, ...programs];
