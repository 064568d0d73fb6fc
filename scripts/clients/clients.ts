// The clients that are driven, in the order of the page: where each is installed and what drives it.
export interface Client {
  name: string;
  /** The page in docs/clients that says how to set it up. */
  page: string;
  language: 'Python' | 'JavaScript';
  /** Of Python: the file of requirements whose environment has it. */
  environment?: string;
  /** A file of python/ or javascript/, and its arguments. */
  driver: readonly string[];
}

const python = (name: string, page: string, driver: string[], environment: string): Client => ({
  name,
  page,
  language: 'Python',
  environment,
  driver,
});
const javascript = (name: string, page: string, driver: string): Client => ({
  name,
  page,
  language: 'JavaScript',
  driver: [driver],
});

/** Frameworks want versions of the vendors' packages that do not go together: each has an environment of its own. */
const of = (name: string): string => `requirements-${name}.txt`;
const VENDORS = 'requirements.txt';

export const clients: readonly Client[] = [
  python('openai', 'openai', ['openai_sdk.py'], VENDORS),
  python('anthropic', 'anthropic', ['anthropic_sdk.py'], VENDORS),
  python('google-genai', 'google-genai', ['google_genai_sdk.py'], VENDORS),
  python('cohere', 'cohere', ['cohere_sdk.py'], VENDORS),
  python('langchain-openai', 'langchain', ['langchain_clients.py', 'langchain-openai'], of('langchain')),
  python('langchain-anthropic', 'langchain', ['langchain_clients.py', 'langchain-anthropic'], of('langchain')),
  python('langchain-google-genai', 'langchain', ['langchain_clients.py', 'langchain-google-genai'], of('langchain')),
  python('llama-index', 'llama-index', ['llama_index_client.py'], of('llama-index')),
  python('pydantic-ai', 'pydantic-ai', ['pydantic_ai_client.py'], of('pydantic-ai')),
  python('openai-agents', 'openai-agents', ['openai_agents_client.py'], of('openai-agents')),
  python('instructor', 'instructor', ['instructor_client.py'], of('instructor')),
  python('llm', 'llm', ['llm_client.py'], of('llm')),
  python('litellm', 'litellm', ['litellm_client.py'], of('litellm')),
  javascript('openai', 'openai', 'openai.mjs'),
  javascript('@anthropic-ai/sdk', 'anthropic', 'anthropic.mjs'),
  javascript('@google/genai', 'google-genai', 'google.mjs'),
  javascript('cohere-ai', 'cohere', 'cohere.mjs'),
  javascript('ai', 'ai-sdk', 'ai-sdk.mjs'),
  javascript('LangChain', 'langchain', 'langchain.mjs'),
];
