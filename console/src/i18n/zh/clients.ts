// Simplified Chinese of the sentences in docs/clients, loaded with them.
import type { Catalogue } from '../catalogue.ts';

export const clients: Catalogue = {
  'openai(MODEL) asks for responses, openai.chat(MODEL) for chat completions. @ai-sdk/openai-compatible works with the first address.':
    'openai(MODEL) 使用 responses 接口，openai.chat(MODEL) 使用 chat completions。@ai-sdk/openai-compatible 使用第一个地址即可。',
  "The model's name stands behind openai/. aider warns about models that it does not know; --no-show-model-warnings turns that off.":
    '模型名称写在 openai/ 之后。aider 会对不认识的模型发出警告，--no-show-model-warnings 可关闭。',
  'base_url / baseURL: https://YOUR-GATEWAY, without /v1\napi_key / apiKey: a token of Tollgate':
    'base_url / baseURL: https://YOUR-GATEWAY，不带 /v1\napi_key / apiKey: Tollgate 的令牌',
  'Or by the environment: ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY. Messages, counting, models and message batches are served, on every text model. beta.files is not: upload a file at /v1/files and name its id in the request (files).':
    '或通过环境变量：ANTHROPIC_BASE_URL、ANTHROPIC_API_KEY。所有文本模型都支持消息、计数、模型列表和消息批处理。不支持 beta.files：请在 /v1/files 上传文件，并在请求中引用其 ID。',
  'Add a provider for Claude Code with ANTHROPIC_BASE_URL = https://YOUR-GATEWAY and ANTHROPIC_AUTH_TOKEN = a token of Tollgate; for Codex with the config.toml of the page of Codex. For the usage query choose the template New API: it calls GET /api/usage/token/, or use a script for GET /v1/usage.':
    '为 Claude Code 添加供应商：ANTHROPIC_BASE_URL = https://YOUR-GATEWAY，ANTHROPIC_AUTH_TOKEN = Tollgate 的令牌；为 Codex 使用 Codex 页面中的 config.toml。用量查询选择 New API 模板，它调用 GET /api/usage/token/；也可用脚本调用 GET /v1/usage。',
  'Settings, Model Provider, Add, type OpenAI\nAPI Host: https://YOUR-GATEWAY\nAPI Key: a token of Tollgate\nManage: takes the models of GET /v1/models':
    '设置 → 模型服务 → 添加，类型选 OpenAI\nAPI 地址: https://YOUR-GATEWAY\nAPI 密钥: Tollgate 的令牌\n管理: 从 GET /v1/models 获取模型',
  'The type Anthropic and the type Gemini take the same host. It streams /v1/chat/completions, /v1/messages or :streamGenerateContent.':
    '类型 Anthropic 和 Gemini 使用相同的地址。客户端以流式调用 /v1/chat/completions、/v1/messages 或 :streamGenerateContent。',
  "Without /v1 in the address. The models may be of any provider. Where the names of Claude's own models are offered by the gateway, the last two are not needed. A loop with tools is tried without a terminal (claude -p).":
    '地址不带 /v1。模型可来自任意供应商。如果网关提供 Claude 自己的模型名称，则不需要最后两项。已在无终端模式（claude -p）下验证工具循环。',
  'A provider of its own, in ~/.codex/config.toml:': '在 ~/.codex/config.toml 中添加自己的供应商：',
  'The built-in provider takes openai_base_url = "https://YOUR-GATEWAY/v1" and the token as OPENAI_API_KEY. It tries a WebSocket first, gets 426 and goes on over HTTP. Custom tools and previous_response_id work on every text model.':
    '内置供应商使用 openai_base_url = "https://YOUR-GATEWAY/v1"，令牌填入 OPENAI_API_KEY。它会先尝试 WebSocket，收到 426 后改用 HTTP。所有文本模型都支持自定义工具和 previous_response_id。',
  'base_url (Python) / environment (JavaScript): https://YOUR-GATEWAY\napi_key / token: a token of Tollgate':
    'base_url（Python）/ environment（JavaScript）: https://YOUR-GATEWAY\napi_key / token: Tollgate 的令牌',
  'chat, chat_stream, embed and rerank of version 2 are served, on every text model, model of vectors and ranking model. Documents are passed to other providers as text of the prompt; citation_options, safety_mode and logprobs are named in x-tollgate-dropped. The paths of version 1 other than rerank, and datasets, are not served.':
    '支持第 2 版的 chat、chat_stream、embed 和 rerank，适用于所有文本模型、向量模型和重排模型。发给其他供应商时，文档会作为提示文本传递；citation_options、safety_mode 和 logprobs 会列在 x-tollgate-dropped 中。不支持第 1 版中 rerank 以外的路径以及 datasets。',
  'Choose "Use Gemini API Key" at the first start, or put it into ~/.gemini/settings.json: {"security":{"auth":{"selectedType":"gemini-api-key"}}}.':
    '首次启动时选择“Use Gemini API Key”，或写入 ~/.gemini/settings.json：{"security":{"auth":{"selectedType":"gemini-api-key"}}}。',
  'http_options.base_url / httpOptions.baseUrl: https://YOUR-GATEWAY, without a version\napi_key / apiKey: a token of Tollgate':
    'http_options.base_url / httpOptions.baseUrl: https://YOUR-GATEWAY，不带版本号\napi_key / apiKey: Tollgate 的令牌',
  'The versions v1beta, v1alpha and v1 are one and the same. Generate-content, counting, vectors and models are served on every text model; interactions on models of gemini channels. client.files, caches and live sessions are not served: 404.':
    'v1beta、v1alpha 和 v1 三个版本相同。所有文本模型都支持 generate-content、计数、向量和模型列表；gemini 渠道的模型支持 interactions。不支持 client.files、缓存和实时会话，返回 404。',
  'instructor.from_anthropic takes a client as on the page of anthropic. The modes TOOLS and JSON_SCHEMA are tried.':
    'instructor.from_anthropic 使用 anthropic 页面中的客户端。已验证 TOOLS 和 JSON_SCHEMA 模式。',
  'Prompts, streams, tools, structured output and pictures work. In JavaScript, ChatGoogleGenerativeAI sends pictures only to models whose names begin as those of Gemini do: call a model so, or use another class.':
    '支持提示、流式、工具、结构化输出和图片。在 JavaScript 中，ChatGoogleGenerativeAI 只向名称以 Gemini 模型前缀开头的模型发送图片：请这样命名模型，或使用其他类。',
  "anthropic/MODEL takes api_base='https://YOUR-GATEWAY'. To move from LiteLLM's proxy: tollgate import litellm (command line).":
    "anthropic/MODEL 使用 api_base='https://YOUR-GATEWAY'。从 LiteLLM 代理迁移：tollgate import litellm（命令行）。",
  'Package llama-index-llms-openai-like:': '安装包 llama-index-llms-openai-like：',
  'The class OpenAI of LlamaIndex refuses models whose names it does not know; OpenAILike takes any.':
    'LlamaIndex 的 OpenAI 类会拒绝不认识的模型名称；OpenAILike 接受任意名称。',
  'In extra-openai-models.yaml of the folder that llm logs path names:':
    '在 llm logs path 所示目录的 extra-openai-models.yaml 中：',
  "Then llm keys set tollgate and llm -m tollgate 'Hello'.":
    "然后运行 llm keys set tollgate 和 llm -m tollgate 'Hello'。",
  'Settings, AI Service Provider, OpenAI, API Proxy Address: https://YOUR-GATEWAY/v1\nAPI Key: a token of Tollgate\nModel List: "Get Model List", or type the names':
    '设置 → AI 服务商 → OpenAI，API 代理地址: https://YOUR-GATEWAY/v1\nAPI Key: Tollgate 的令牌\n模型列表: 点击“获取模型列表”，或手动输入名称',
  "On a server of one's own: OPENAI_PROXY_URL=https://YOUR-GATEWAY/v1, OPENAI_API_KEY, OPENAI_MODEL_LIST=-all,+your-model. It calls /v1/models and streams /v1/chat/completions with stream_options; the providers Anthropic and Google take the address without /v1.":
    '自行部署时：OPENAI_PROXY_URL=https://YOUR-GATEWAY/v1、OPENAI_API_KEY、OPENAI_MODEL_LIST=-all,+your-model。客户端调用 /v1/models，并以 stream_options 流式调用 /v1/chat/completions；Anthropic 和 Google 服务商使用不带 /v1 的地址。',
  'Settings, Custom Endpoint: on\nOpenAI Endpoint: https://YOUR-GATEWAY, without /v1\nOpenAI API Key: a token of Tollgate\nCustom Models: -all,+your-model':
    '设置 → 自定义接口: 开启\nOpenAI 接口地址: https://YOUR-GATEWAY，不带 /v1\nOpenAI API Key: Tollgate 的令牌\n自定义模型名: -all,+your-model',
  "On a server of one's own: BASE_URL=https://YOUR-GATEWAY, OPENAI_API_KEY, CUSTOM_MODELS. It calls /v1/chat/completions (streamed), /v1/models, and for the balance /dashboard/billing/usage and /dashboard/billing/subscription.":
    '自行部署时：BASE_URL=https://YOUR-GATEWAY、OPENAI_API_KEY、CUSTOM_MODELS。客户端调用 /v1/chat/completions（流式）、/v1/models，查询余额时调用 /dashboard/billing/usage 和 /dashboard/billing/subscription。',
  'Admin Panel, Settings, Connections, OpenAI API, URL: https://YOUR-GATEWAY/v1\nKey: a token of Tollgate':
    '管理员面板 → 设置 → 外部连接 → OpenAI API，URL: https://YOUR-GATEWAY/v1\n密钥: Tollgate 的令牌',
  'Or OPENAI_API_BASE_URL and OPENAI_API_KEY. It lists /v1/models, streams /v1/chat/completions, and for speech, transcription, images and vectors takes the same address in their own settings.':
    '或使用 OPENAI_API_BASE_URL 和 OPENAI_API_KEY。它读取 /v1/models 列表，流式调用 /v1/chat/completions；语音、转写、图片和向量在各自的设置中使用相同地址。',
  "OpenAIChatCompletionsModel works too. Tools that run at the provider, such as web search, work where the model's provider has them.":
    '也可使用 OpenAIChatCompletionsModel。由供应商执行的工具（例如网页搜索）在模型的供应商支持时可用。',
  'base_url / baseURL: https://YOUR-GATEWAY/v1\napi_key / apiKey: a token of Tollgate':
    'base_url / baseURL: https://YOUR-GATEWAY/v1\napi_key / apiKey: Tollgate 的令牌',
  'Or by the environment: OPENAI_BASE_URL, OPENAI_API_KEY. Chat, responses (also input_tokens and compact), embeddings, moderations, images (also variations), audio, videos (also remix), files, batches and realtime are served. Assistants, threads, vector stores and fine-tuning are not: 404.':
    '或通过环境变量：OPENAI_BASE_URL、OPENAI_API_KEY。支持对话、responses（含 input_tokens 和 compact）、向量、审核、图片（含变体）、音频、视频（含 remix）、文件、批处理和实时接口。不支持 Assistants、threads、向量存储和微调，返回 404。',
  'In opencode.json of the project or ~/.config/opencode:': '在项目的 opencode.json 或 ~/.config/opencode 中：',
  '@ai-sdk/anthropic with the same address works too.': '也可使用 @ai-sdk/anthropic，地址相同。',
  "OpenAIResponsesModel takes the same provider. AnthropicProvider and GoogleProvider take base_url='https://YOUR-GATEWAY'.":
    "OpenAIResponsesModel 使用相同的 provider。AnthropicProvider 和 GoogleProvider 使用 base_url='https://YOUR-GATEWAY'。",
};
