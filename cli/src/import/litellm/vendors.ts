// Prefixes of LiteLLM's model names: which kind of upstream each is here, and where it is.
export interface Vendor {
  provider: string;
  /** Used where the deployment has no api_base. */
  baseUrl: string;
  /** Variable that LiteLLM reads where the deployment has no key. */
  variable: string;
  /** LiteLLM's api_base lacks this path. */
  path?: string;
  speaks?: ('chat' | 'responses' | 'completions')[];
}

const CHAT: Vendor['speaks'] = ['chat'];

function compatible(baseUrl: string, variable: string, speaks: Vendor['speaks'] = CHAT): Vendor {
  return { provider: 'openai', baseUrl, variable, ...(speaks !== undefined && { speaks }) };
}

const OPENAI: Vendor = { provider: 'openai', baseUrl: 'https://api.openai.com/v1', variable: 'OPENAI_API_KEY' };
const OLLAMA: Vendor = { ...compatible('http://localhost:11434/v1', 'OLLAMA_API_KEY'), path: '/v1' };
const VERTEX: Vendor = { provider: 'vertex', baseUrl: '', variable: 'GOOGLE_APPLICATION_CREDENTIALS' };
const AZURE: Vendor = { provider: 'azure', baseUrl: '', variable: 'AZURE_API_KEY' };
const COHERE = compatible('https://api.cohere.ai/compatibility/v1', 'COHERE_API_KEY');

const VENDORS: Record<string, Vendor> = {
  openai: OPENAI,
  'text-completion-openai': { ...OPENAI, speaks: ['completions'] },
  custom_openai: OPENAI,
  openai_like: { ...OPENAI, baseUrl: '', speaks: ['chat'] },
  litellm_proxy: { ...OPENAI, baseUrl: '', variable: 'LITELLM_PROXY_API_KEY' },
  azure: AZURE,
  azure_text: AZURE,
  anthropic: { provider: 'anthropic', baseUrl: 'https://api.anthropic.com', variable: 'ANTHROPIC_API_KEY' },
  gemini: { provider: 'gemini', baseUrl: 'https://generativelanguage.googleapis.com', variable: 'GEMINI_API_KEY' },
  vertex_ai: VERTEX,
  vertex_ai_beta: VERTEX,
  bedrock: { provider: 'bedrock', baseUrl: '', variable: 'AWS_BEARER_TOKEN_BEDROCK' },
  bedrock_converse: { provider: 'bedrock', baseUrl: '', variable: 'AWS_BEARER_TOKEN_BEDROCK' },
  hosted_vllm: compatible('', 'HOSTED_VLLM_API_KEY', ['chat', 'completions']),
  vllm: compatible('', 'VLLM_API_KEY', ['chat', 'completions']),
  lm_studio: compatible('http://localhost:1234/v1', 'LM_STUDIO_API_KEY'),
  ollama: OLLAMA,
  ollama_chat: OLLAMA,
  openrouter: compatible('https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY', ['chat', 'completions']),
  groq: compatible('https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  mistral: compatible('https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  codestral: compatible('https://codestral.mistral.ai/v1', 'CODESTRAL_API_KEY'),
  deepseek: compatible('https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  xai: compatible('https://api.x.ai/v1', 'XAI_API_KEY', ['chat', 'responses']),
  together_ai: compatible('https://api.together.xyz/v1', 'TOGETHERAI_API_KEY', ['chat', 'completions']),
  fireworks_ai: compatible('https://api.fireworks.ai/inference/v1', 'FIREWORKS_AI_API_KEY', ['chat', 'completions']),
  perplexity: compatible('https://api.perplexity.ai', 'PERPLEXITYAI_API_KEY'),
  cohere: COHERE,
  cohere_chat: COHERE,
  dashscope: compatible('https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'DASHSCOPE_API_KEY'),
  volcengine: compatible('https://ark.cn-beijing.volces.com/api/v3', 'VOLCENGINE_API_KEY'),
  moonshot: compatible('https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY'),
  zai: compatible('https://api.z.ai/api/paas/v4', 'ZAI_API_KEY'),
  minimax: compatible('https://api.minimax.io/v1', 'MINIMAX_API_KEY'),
  nvidia_nim: compatible('https://integrate.api.nvidia.com/v1', 'NVIDIA_NIM_API_KEY'),
  cerebras: compatible('https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'),
  sambanova: compatible('https://api.sambanova.ai/v1', 'SAMBANOVA_API_KEY'),
  deepinfra: compatible('https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY'),
  novita: compatible('https://api.novita.ai/openai/v1', 'NOVITA_API_KEY'),
  nebius: compatible('https://api.tokenfactory.nebius.com/v1', 'NEBIUS_API_KEY'),
  hyperbolic: compatible('https://api.hyperbolic.xyz/v1', 'HYPERBOLIC_API_KEY'),
  huggingface: compatible('https://router.huggingface.co/v1', 'HUGGINGFACE_API_KEY'),
  github: compatible('https://models.github.ai/inference', 'GITHUB_API_KEY'),
  ai21_chat: compatible('https://api.ai21.com/studio/v1', 'AI21_API_KEY'),
  siliconflow: compatible('https://api.siliconflow.com/v1', 'SILICONFLOW_API_KEY'),
};

const RERANK: Record<string, Vendor> = {
  cohere: { provider: 'rerank', baseUrl: 'https://api.cohere.ai/v1', variable: 'COHERE_API_KEY' },
  jina_ai: { provider: 'rerank', baseUrl: 'https://api.jina.ai/v1', variable: 'JINA_AI_API_KEY' },
  infinity: { provider: 'rerank', baseUrl: '', variable: 'INFINITY_API_KEY' },
};

/** Names without a prefix that LiteLLM knows by themselves. */
const BARE: readonly [pattern: RegExp, vendor: string][] = [
  [/^(?:gpt-|o\d|chatgpt-|text-embedding-|dall-e|tts-|whisper|omni-|ft:|gpt4|davinci|babbage)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'vertex_ai'],
  [/^(?:anthropic|amazon|meta|cohere|ai21|mistral|us|eu|apac)\./, 'bedrock'],
];

export interface FoundVendor {
  prefix: string;
  vendor: Vendor;
  /** What the upstream calls the model. */
  upstream: string;
}

export function findVendor(
  model: string,
  { given, hasBase, isRerank }: { given: string; hasBase: boolean; isRerank: boolean },
): FoundVendor | undefined {
  const [head = '', ...rest] = model.split('/');
  const known = isRerank ? { ...VENDORS, ...RERANK } : VENDORS;
  const pick = (prefix: string, upstream: string): FoundVendor | undefined => {
    const vendor = known[prefix];
    return vendor === undefined ? undefined : { prefix, vendor, upstream };
  };
  if (given !== '') return pick(given, head === given ? rest.join('/') : model);
  if (rest.length > 0 && known[head] !== undefined) return pick(head, withoutRoute(head, rest.join('/')));
  const bare = BARE.find(([pattern]) => pattern.test(model))?.[1];
  if (bare !== undefined) return pick(bare, model);
  return hasBase && rest.length === 0 ? pick('openai', model) : undefined;
}

/** `bedrock/converse/...` and `bedrock/us-east-1/...` say how, not what. */
function withoutRoute(prefix: string, upstream: string): string {
  if (prefix.startsWith('bedrock'))
    return upstream.replace(/^(?:converse|invoke|converse_like)\//, '').replace(/^[a-z]{2}-[a-z]+-\d\//, '');
  return upstream.replace(/^(?:responses|chat)\//, '');
}
