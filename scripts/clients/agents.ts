// Coding agents in their modes without a terminal: each is given a prompt that makes the sandbox call one of its tools, and
// has done its loop when the answer repeats what the tool gave.
export interface Gateway {
  url: string;
  token: string;
}

export interface Agent {
  name: string;
  /** The page in docs/clients that says how to set it up. */
  page: string;
  /** The package of npm, or of a file of requirements. */
  package: string;
  environment?: string;
  /** Its program, and what it is given. */
  command: readonly string[];
  env(gateway: Gateway): Record<string, string>;
  /** Files of its home folder and, under `work/`, of its working folder. */
  files(gateway: Gateway): Record<string, string>;
  /** What it must print. */
  proof: RegExp;
  /** What was lost, where something is. */
  loss?: string;
}

const LOOP = /The tool answered/;

export const agents: readonly Agent[] = [
  {
    name: 'Claude Code',
    page: 'claude-code',
    package: '@anthropic-ai/claude-code',
    command: ['claude', '-p', 'Glob please', '--output-format', 'json', '--allowedTools', 'Glob'],
    env: ({ url, token }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: token,
      ANTHROPIC_MODEL: 'sandbox-messages',
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'sandbox-messages',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    files: () => ({}),
    proof: LOOP,
  },
  {
    name: 'Codex, custom provider',
    page: 'codex',
    package: '@openai/codex',
    command: ['codex', 'exec', '--skip-git-repo-check', '--json', 'use the tool shell'],
    env: ({ token }) => ({ TOLLGATE_TOKEN: token }),
    files: ({ url }) => ({
      '.codex/config.toml': [
        'model = "sandbox-chat"',
        'model_provider = "tollgate"',
        '[model_providers.tollgate]',
        'name = "Tollgate"',
        `base_url = "${url}/v1"`,
        'env_key = "TOLLGATE_TOKEN"',
        'wire_api = "responses"',
        '',
      ].join('\n'),
    }),
    proof: LOOP,
  },
  {
    name: 'Codex, built-in provider',
    page: 'codex',
    package: '@openai/codex',
    command: ['codex', 'exec', '--skip-git-repo-check', '--json', 'use the tool shell'],
    env: ({ token }) => ({ OPENAI_API_KEY: token, CODEX_API_KEY: token }),
    files: ({ url }) => ({ '.codex/config.toml': `model = "sandbox-chat"\nopenai_base_url = "${url}/v1"\n` }),
    proof: LOOP,
  },
  {
    name: 'Gemini CLI',
    page: 'gemini-cli',
    package: '@google/gemini-cli',
    command: [
      'gemini',
      '-m',
      'sandbox-generate',
      '-p',
      'list_directory please',
      '--approval-mode',
      'yolo',
      '--output-format',
      'json',
    ],
    env: ({ url, token }) => ({
      GEMINI_API_KEY: token,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
    proof: LOOP,
  },
  {
    name: 'opencode',
    page: 'opencode',
    package: 'opencode-ai',
    command: ['opencode', 'run', '--format', 'json', 'glob please'],
    env: () => ({}),
    files: ({ url, token }) => ({
      'work/opencode.json': JSON.stringify({
        provider: {
          tollgate: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Tollgate',
            options: { baseURL: `${url}/v1`, apiKey: token },
            models: { 'sandbox-chat': { name: 'sandbox-chat', limit: { context: 100_000, output: 4_000 } } },
          },
        },
        model: 'tollgate/sandbox-chat',
        small_model: 'tollgate/sandbox-chat',
        autoupdate: false,
        share: 'disabled',
      }),
    }),
    proof: LOOP,
  },
  {
    name: 'aider',
    page: 'aider',
    package: 'aider-chat',
    environment: 'requirements-aider.txt',
    command: [
      'aider',
      '--model',
      'openai/sandbox-chat',
      '--no-git',
      '--yes-always',
      '--no-check-update',
      '--no-show-model-warnings',
      '--analytics-disable',
      '--message',
      'Hello',
      'notes.txt',
    ],
    env: ({ url, token }) => ({ OPENAI_API_BASE: `${url}/v1`, OPENAI_API_KEY: token }),
    files: () => ({ 'work/notes.txt': 'Buy milk\n' }),
    proof: /I am the sandbox/,
    loss: 'aider has no tools: it edits files by what the answer holds, and the sandbox writes no code',
  },
];
