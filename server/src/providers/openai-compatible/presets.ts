// Well-known vendors and programs that speak the compatible protocol. What a vendor calls a preview is not in `speaks`: the
// gateway translates into what surely works, and an operator can widen it.
import type { Preset } from '../provider-facts.ts';

const NO_KEY = 'Needs no key; runs on a machine of your own';

export const presets: readonly Preset[] = [
  { vendor: 'OpenAI', baseUrl: 'https://api.openai.com/v1' },
  { vendor: 'DeepSeek', baseUrl: 'https://api.deepseek.com/v1', speaks: ['chat'] },
  { vendor: 'Mistral', baseUrl: 'https://api.mistral.ai/v1', speaks: ['chat'] },
  { vendor: 'Groq', baseUrl: 'https://api.groq.com/openai/v1', speaks: ['chat'] },
  { vendor: 'xAI', baseUrl: 'https://api.x.ai/v1', speaks: ['chat', 'responses'] },
  {
    vendor: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    speaks: ['chat', 'completions'],
    note: 'Upstream names have the vendor in front, such as openai/gpt-4o',
  },
  { vendor: 'Together', baseUrl: 'https://api.together.xyz/v1', speaks: ['chat', 'completions'] },
  {
    vendor: 'Fireworks',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    speaks: ['chat', 'completions'],
    note: 'Upstream names begin with accounts/fireworks/models/',
  },
  {
    vendor: 'Moonshot',
    baseUrl: 'https://api.moonshot.ai/v1',
    speaks: ['chat'],
    note: 'Accounts of China use https://api.moonshot.cn/v1',
  },
  { vendor: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', speaks: ['chat', 'completions'], note: NO_KEY },
  {
    vendor: 'vLLM',
    baseUrl: 'http://127.0.0.1:8000/v1',
    speaks: ['chat', 'completions'],
    note: 'A key only where it was started with --api-key',
  },
  { vendor: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', speaks: ['chat', 'completions'], note: NO_KEY },
];
