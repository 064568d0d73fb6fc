// What the numbers in the column `type` of channels stand for, and which kind of upstream each is here. Numbers up to 25
// are mostly the same in both programs; above that each went its own way.
export interface ChannelType {
  vendor: string;
  provider: string;
  /** Used where the channel has no address of its own. */
  host: string;
  /** What the programs put behind the host and `base_url` here contains. */
  path: string;
  speaks?: ('chat' | 'responses' | 'completions')[];
}

export type Program = 'new-api' | 'one-api';

/** Why a type cannot be taken over. */
export type Unsupported = string;

const CHAT: ChannelType['speaks'] = ['chat'];

function compatible(vendor: string, host: string, path = '/v1', speaks?: ChannelType['speaks']): ChannelType {
  return { vendor, provider: 'openai', host, path, ...(speaks !== undefined && { speaks }) };
}

function kind(vendor: string, provider: string, host = '', path = ''): ChannelType {
  return { vendor, provider, host, path };
}

const MIDJOURNEY = 'Midjourney has no provider here';
const AGENT = (vendor: string): Unsupported => `${vendor} is an application platform, not a model API`;

const BOTH: Record<number, ChannelType | Unsupported> = {
  1: compatible('OpenAI', 'https://api.openai.com'),
  3: kind('Azure', 'azure'),
  6: compatible('OpenAI Max', 'https://api.openaimax.com'),
  7: compatible('OhMyGPT', 'https://api.ohmygpt.com'),
  8: compatible('custom', ''),
  9: compatible('AILS', 'https://api.caipacity.com'),
  10: compatible('AI Proxy', 'https://api.aiproxy.io'),
  11: 'PaLM was ended by its vendor; use Gemini',
  12: compatible('API2GPT', 'https://api.api2gpt.com'),
  13: compatible('AIGC2D', 'https://api.aigc2d.com'),
  14: kind('Anthropic', 'anthropic', 'https://api.anthropic.com'),
  15: 'the old protocol of Baidu (API key and secret key) is not spoken here; make a key of Qianfan v2 and a channel with it',
  16: compatible('Zhipu', 'https://open.bigmodel.cn', '/api/paas/v4', CHAT),
  17: compatible('Ali', 'https://dashscope.aliyuncs.com', '/compatible-mode/v1', CHAT),
  18: 'the WebSocket protocol of Xunfei is not spoken here; its HTTP service is compatible: https://spark-api-open.xf-yun.com/v1',
  19: compatible('360', 'https://api.360.cn', '/v1', CHAT),
  20: compatible('OpenRouter', 'https://openrouter.ai/api', '/v1', ['chat', 'completions']),
  21: 'AI Proxy Library has no provider here',
  22: compatible('FastGPT', 'https://fastgpt.run/api/openapi', '/v1', CHAT),
  23: 'Tencent by SecretId is not spoken here; make an API key of Hunyuan and a channel with https://api.hunyuan.cloud.tencent.com/v1',
  24: kind('Gemini', 'gemini', 'https://generativelanguage.googleapis.com'),
  25: compatible('Moonshot', 'https://api.moonshot.cn', '/v1', CHAT),
  31: compatible('01.AI', 'https://api.lingyiwanwu.com', '/v1', CHAT),
  33: kind('AWS', 'bedrock'),
};

const NEW_API: Record<number, ChannelType | Unsupported> = {
  ...BOTH,
  2: MIDJOURNEY,
  4: compatible('Ollama', 'http://localhost:11434', '/v1', ['chat', 'completions']),
  5: MIDJOURNEY,
  26: compatible('Zhipu', 'https://open.bigmodel.cn', '/api/paas/v4', CHAT),
  27: compatible('Perplexity', 'https://api.perplexity.ai', '', CHAT),
  34: compatible('Cohere', 'https://api.cohere.ai', '/compatibility/v1', CHAT),
  35: compatible('MiniMax', 'https://api.minimax.chat', '/v1', CHAT),
  36: 'Suno has no provider here',
  37: AGENT('Dify'),
  38: compatible('Jina', 'https://api.jina.ai'),
  39: compatible('Cloudflare', 'https://api.cloudflare.com', '/client/v4/accounts/{other}/ai/v1', CHAT),
  40: compatible('SiliconFlow', 'https://api.siliconflow.cn', '/v1', CHAT),
  41: kind('Vertex AI', 'vertex'),
  42: compatible('Mistral', 'https://api.mistral.ai', '/v1', CHAT),
  43: compatible('DeepSeek', 'https://api.deepseek.com', '/v1', CHAT),
  44: compatible('Moka', 'https://api.moka.ai', ''),
  45: compatible('Volcengine', 'https://ark.cn-beijing.volces.com', '/api/v3', CHAT),
  46: compatible('Baidu v2', 'https://qianfan.baidubce.com', '/v2', CHAT),
  47: compatible('Xinference', '', '/v1', ['chat', 'completions']),
  48: compatible('xAI', 'https://api.x.ai', '/v1', ['chat', 'responses']),
  49: AGENT('Coze'),
  50: kind('Kling', 'kling', 'https://api.klingai.com'),
  51: 'Jimeng has no provider here',
  52: kind('Vidu', 'vidu', 'https://api.vidu.cn'),
  53: compatible('Submodel', 'https://llm.submodel.ai', '/v1', CHAT),
  54: kind('Doubao video', 'beta-video', 'https://ark.cn-beijing.volces.com', '/api/v3'),
  55: compatible('Sora', 'https://api.openai.com'),
  56: 'Replicate has no provider here',
  57: 'a ChatGPT subscription is no API key',
  58: 'a channel with routes of its own has no equivalent here; make a channel for each upstream',
  59: compatible('Sub2API', ''),
  60: compatible('New API', ''),
};

const ONE_API: Record<number, ChannelType | Unsupported> = {
  ...BOTH,
  2: compatible('API2D', 'https://oa.api2d.net'),
  4: compatible('CloseAI', 'https://api.closeai-proxy.xyz'),
  5: compatible('OpenAI-SB', 'https://api.openai-sb.com'),
  19: compatible('360', 'https://ai.360.cn', '/v1', CHAT),
  26: compatible('Baichuan', 'https://api.baichuan-ai.com', '/v1', CHAT),
  27: compatible('MiniMax', 'https://api.minimax.chat', '/v1', CHAT),
  28: compatible('Mistral', 'https://api.mistral.ai', '/v1', CHAT),
  29: compatible('Groq', 'https://api.groq.com/openai', '/v1', CHAT),
  30: compatible('Ollama', 'http://localhost:11434', '/v1', ['chat', 'completions']),
  32: compatible('StepFun', 'https://api.stepfun.com', '/v1', CHAT),
  34: AGENT('Coze'),
  35: compatible('Cohere', 'https://api.cohere.ai', '/compatibility/v1', CHAT),
  36: compatible('DeepSeek', 'https://api.deepseek.com', '/v1', CHAT),
  37: compatible('Cloudflare', 'https://api.cloudflare.com', '/client/v4/accounts/{other}/ai/v1', CHAT),
  38: 'DeepL has no provider here',
  39: compatible('Together', 'https://api.together.xyz', '/v1', ['chat', 'completions']),
  40: compatible('Doubao', 'https://ark.cn-beijing.volces.com', '/api/v3', CHAT),
  41: compatible('Novita', 'https://api.novita.ai/v3/openai', '', ['chat', 'completions']),
  42: kind('Vertex AI', 'vertex'),
  43: 'a plain proxy channel has no equivalent here',
  44: compatible('SiliconFlow', 'https://api.siliconflow.cn', '/v1', CHAT),
  45: compatible('xAI', 'https://api.x.ai', '/v1', ['chat', 'responses']),
  46: 'Replicate has no provider here',
  47: compatible('Baidu v2', 'https://qianfan.baidubce.com', '/v2', CHAT),
  48: compatible('Xunfei v2', 'https://spark-api-open.xf-yun.com', '/v1', CHAT),
  49: compatible('Ali Bailian', 'https://dashscope.aliyuncs.com', '/compatible-mode/v1', CHAT),
  50: compatible('OpenAI compatible', '', ''),
  51: compatible('Gemini compatible', 'https://generativelanguage.googleapis.com/v1beta/openai', '', CHAT),
};

export function channelType(program: Program, number: number): ChannelType | Unsupported {
  const types = program === 'new-api' ? NEW_API : ONE_API;
  return types[number] ?? `type ${number} is not known; make the channel by hand`;
}

/** Words that new-api accepts in place of an address. */
export const NAMED_BASES: Record<string, string> = {
  'glm-coding-plan': 'https://open.bigmodel.cn/api/coding/paas/v4',
  'glm-coding-plan-international': 'https://api.z.ai/api/coding/paas/v4',
  'kimi-coding-plan': 'https://api.kimi.com/coding/v1',
  'doubao-coding-plan': 'https://ark.cn-beijing.volces.com/api/coding/v3',
};
