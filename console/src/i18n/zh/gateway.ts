// Simplified Chinese of texts that the gateway and the contract send in English.
import { alertTextsInChinese } from '#contract/alert-texts.ts';
import type { Catalogue } from '../catalogue.ts';

export const gateway: Catalogue = {
  ...alertTextsInChinese,
  'the connection failed ({code})': '连接失败（{code}）',
  'must not be zero': '不能为零',
  'must be more than zero': '必须大于零',
  'must be visible ASCII characters without spaces': '只能包含可见的 ASCII 字符，不含空格',
  'must be sha256: and 64 hex digits': '必须是 sha256: 加 64 位十六进制数字',
  'cannot be given together with "key"': '不能与 “key” 同时填写',
  'must not have the same input_tokens twice': 'input_tokens 不能重复',
  'must not contain control characters': '不能包含控制字符',
  'must be a model name without spaces and without *': '必须是不含空格和 * 的模型名称',
  'must be an exact model name or a prefix followed by *': '必须是完整的模型名称，或前缀加 *',
  'must be an http or https address without user name, password or fragment':
    '必须是 http 或 https 地址，不含用户名、密码和片段',
  'must be a valid header name': '必须是有效的请求头名称',
  'is a header that the gateway sets itself': '该请求头由网关自行设置',
  'must be a valid header value': '必须是有效的请求头值',
  'must be an origin such as https://app.example': '必须是来源地址，例如 https://app.example',
  'must be Unix seconds or an ISO 8601 time': '必须是 Unix 秒数或 ISO 8601 时间',
  'must be an e-mail address': '必须是邮箱地址',
  'must not contain spaces': '不能包含空格',
  'is a name that stands for an operator key': '该名称保留给管理密钥',
  'must be letters, digits and . : _ - only': '只能包含字母、数字和 . : _ -',
  'There is no {noun} "{id}".': '不存在“{id}”（{noun}）。',
  'There is an operator named "{name}" already.': '已有名为“{name}”的操作员。',
  'There is an operator key named "{name}" already.': '已有名为“{name}”的管理密钥。',
  'There is a sink named "{name}" already.': '已有名为“{name}”的通知目标。',
  'There is a channel named "{name}" already.': '已有名为“{name}”的渠道。',
  '"{param}" belongs to a token already.': '“{param}”已属于其他令牌。',
  '"{email}" is a member already.': '“{email}”已是成员。',
  'Your role in this account may only look.': '您在此账户中只有查看权限。',
  'You have no second factor.': '您没有设置两步验证。',
  'You have a second factor already.': '您已设置两步验证。',
  'Too many failed sign-ins. Wait before trying again.': '登录失败次数过多，请稍后重试。',
  'This is the last active admin. Make another one first.': '这是最后一个可用的管理员，请先设置另一个。',
  'The token is disabled, so a new key would not work. Set its status to "enabled" first.':
    '令牌已停用，新密钥无法使用。请先启用令牌。',
  'The token has ended: it can neither be enabled nor get a new key. Make a new token.':
    '令牌已作废：不能再启用，也不能获得新密钥。请创建新令牌。',
  'An operator disabled this token. Only an operator can enable it.': '此令牌由操作员停用，只有操作员才能启用。',
  'An owner of the account disabled this token. Only an owner or an operator can enable it.':
    '此令牌由账户所有者停用，只有所有者或操作员才能启用。',
  'An operator set "{name}" of this token. You can only make it stricter.':
    '此令牌的“{name}”由操作员设定，您只能将其收紧。',
  'An owner of the account set "{name}" of this token. You can only make it stricter.':
    '此令牌的“{name}”由账户所有者设定，您只能将其收紧。',
  'The session has ended. Sign in again.': '会话已结束，请重新登录。',
  'The name or the password is wrong.': '用户名或密码错误。',
  'The member has not accepted the invite yet.': '该成员尚未接受邀请。',
  'The e-mail address or the password is wrong.': '邮箱地址或密码错误。',
  'The code was redeemed: its credit stands in the ledger.': '兑换码已被兑换，金额已计入资金流水。',
  'The code is wrong, too old, or was used before.': '验证码错误、已过期或已使用。',
  'It is confirmed already.': '已经确认过。',
  'OpenAI-compatible': 'OpenAI 兼容',
  'Any upstream that speaks the compatible protocol: chat, responses, embeddings, images, audio, videos in the task style':
    '任何支持兼容协议的上游：对话、响应、向量、图像、音频以及任务式视频',
  'Most end in /v1, as the vendor’s library takes it': '多数以 /v1 结尾，与厂商 SDK 所用一致',
  'API key, sent as a bearer token': 'API 密钥，以 Bearer 令牌发送',
  'Anthropic messages': 'Anthropic 消息协议',
  'The message-style protocol': '消息式协议',
  'Without /v1: the gateway adds /v1/messages': '不含 /v1：网关会添加 /v1/messages',
  'API key, sent as x-api-key': 'API 密钥，以 x-api-key 发送',
  'Gemini generate-content': 'Gemini generateContent 协议',
  'The generate-content protocol': 'generateContent 协议',
  'The host alone: the gateway adds /v1beta/models': '仅主机：网关会添加 /v1beta/models',
  'API key, sent as x-goog-api-key': 'API 密钥，以 x-goog-api-key 发送',
  Rerank: '重排序',
  'The /rerank protocol shared by several vendors': '多家厂商共用的 /rerank 协议',
  'Ends in a version: the gateway adds /rerank': '以版本号结尾：网关会添加 /rerank',
  'Deployments of Azure OpenAI and AI Foundry: chat, responses, embeddings, images, audio':
    'Azure OpenAI 与 AI Foundry 的部署：对话、响应、向量、图像、音频',
  'The host alone: the gateway adds /openai/v1, or /openai/deployments where options.api_version is set':
    '仅主机：网关会添加 /openai/v1；设置了 options.api_version 时添加 /openai/deployments',
  'API key, sent as api-key; or a JSON object with tenant_id, client_id and client_secret for Entra ID':
    'API 密钥，以 api-key 发送；或包含 tenant_id、client_id 和 client_secret 的 JSON 对象（Entra ID）',
  'Models of Amazon Bedrock: Claude by InvokeModel, all others by Converse':
    'Amazon Bedrock 的模型：Claude 使用 InvokeModel，其余使用 Converse',
  'The host of a region; options.region where the host does not name it':
    '某个区域的主机；主机中没有区域时使用 options.region',
  'API key, sent as a bearer token; or ACCESS_KEY:SECRET or ACCESS_KEY:SECRET:SESSION, which sign':
    'API 密钥，以 Bearer 令牌发送；或用于签名的 ACCESS_KEY:SECRET 或 ACCESS_KEY:SECRET:SESSION',
  'Models of Vertex AI: Gemini, Claude, and open models by their publisher':
    'Vertex AI 的模型：Gemini、Claude 以及按发布者提供的开放模型',
  'The host of a region, or https://aiplatform.googleapis.com for the global location':
    '某个区域的主机；全球位置使用 https://aiplatform.googleapis.com',
  'Service account JSON in one line; or an API key (express), sent as x-goog-api-key':
    '单行的服务账号 JSON；或 API 密钥（express），以 x-goog-api-key 发送',
  'Video, family alpha (Alibaba Cloud)': '视频，alpha 系列（阿里云）',
  'Asynchronous video with seconds and resolutions: HappyHorse on Alibaba Cloud Model Studio':
    '按秒数与分辨率计费的异步视频：阿里云百炼上的 HappyHorse',
  'The host alone: the gateway adds /api/v1': '仅主机：网关会添加 /api/v1',
  'Video, family beta (Volcengine, BytePlus)': '视频，beta 系列（火山引擎、BytePlus）',
  'Asynchronous video charged by tokens: Seedance on Volcengine Ark and BytePlus ModelArk':
    '按 token 计费的异步视频：火山方舟与 BytePlus ModelArk 上的 Seedance',
  'Ends in /api/v3': '以 /api/v3 结尾',
  'Asynchronous video of Kling, charged by seconds, mode and sound, or by deducted units':
    '可灵异步视频，按秒数、模式与声音计费，或按扣除的单位计费',
  'The host alone: the gateway adds /v1/videos': '仅主机：网关会添加 /v1/videos',
  'API key; or ACCESS:SECRET, which signs a token for each call': 'API 密钥；或 ACCESS:SECRET，为每次调用签发令牌',
  'MiniMax video': 'MiniMax 视频',
  'Asynchronous video of MiniMax: H3, and Hailuo with the models before it':
    'MiniMax 异步视频：H3，以及海螺和更早的模型',
  'The host alone: the gateway adds /v1 or /v2 by the model': '仅主机：网关按模型添加 /v1 或 /v2',
  'Asynchronous video of Runway, charged by seconds or by its credits': 'Runway 异步视频，按秒数或其积分计费',
  'The host alone: the gateway adds /v1': '仅主机：网关会添加 /v1',
  'API secret, sent as a bearer token': 'API 密钥，以 Bearer 令牌发送',
  'Asynchronous video of Luma: Agents (ray-3.2), and Dream Machine for ray-2 and before':
    'Luma 异步视频：Agents（ray-3.2），ray-2 及更早使用 Dream Machine',
  'The host alone: the gateway adds the path by the model': '仅主机：网关按模型添加路径',
  'Asynchronous video of Vidu, charged by seconds or by its credits': 'Vidu 异步视频，按秒数或其积分计费',
  'The host alone: the gateway adds /ent/v2': '仅主机：网关会添加 /ent/v2',
  'API key, sent as Authorization: Token': 'API 密钥，以 Authorization: Token 发送',
  'xAI video': 'xAI 视频',
  'Asynchronous video of xAI, charged by seconds or by the dollars that it reports':
    'xAI 异步视频，按秒数或其上报的美元计费',
  'Ends in /v1: the gateway adds /videos': '以 /v1 结尾：网关会添加 /videos',
  'Gemini video': 'Gemini 视频',
  'Asynchronous video of Gemini Omni, charged by seconds or by the tokens of the video':
    'Gemini Omni 异步视频，按秒数或视频 token 计费',
  'The host alone: the gateway adds /v1beta': '仅主机：网关会添加 /v1beta',
  'Vertex AI video': 'Vertex AI 视频',
  'Asynchronous video of Veo on Google Vertex AI, charged by seconds': 'Google Vertex AI 上的 Veo 异步视频，按秒数计费',
  'The host alone, which says the region; the gateway adds project, location and model':
    '仅主机（其中含区域）；网关会添加项目、位置和模型',
  'Service account as JSON in one line; or an API key of express mode':
    '单行的服务账号 JSON；或 express 模式的 API 密钥',
  'Reasoning comes as reasoning_content': '推理内容在 reasoning_content 中',
  'Refuses fields that it does not know': '拒绝未知字段',
  'Reasoning comes as reasoning': '推理内容在 reasoning 中',
  'Reasoning models refuse stop and the penalties': '推理模型拒绝 stop 与惩罚参数',
  'Upstream names have the vendor in front, such as openai/gpt-4o': '上游名称带厂商前缀，例如 openai/gpt-4o',
  'Upstream names begin with accounts/fireworks/models/': '上游名称以 accounts/fireworks/models/ 开头',
  'Accounts of China use https://api.moonshot.cn/v1': '中国账户使用 https://api.moonshot.cn/v1',
  'Accounts of China use https://api.minimaxi.com/v1; reasoning stands in the text between think tags':
    '中国账户使用 https://api.minimaxi.com/v1；推理内容在正文的 think 标签之间',
  'Singapore; keys belong to one region; reasoning comes as reasoning_content':
    '新加坡；密钥只属于一个区域；推理内容在 reasoning_content 中',
  'Beijing; keys belong to one region; reasoning comes as reasoning_content':
    '北京；密钥只属于一个区域；推理内容在 reasoning_content 中',
  'Upstream names are models or endpoints (ep-...); reasoning comes as reasoning_content':
    '上游名称为模型或接入点（ep-...）；推理内容在 reasoning_content 中',
  'Accounts of China use https://api.siliconflow.cn/v1; reasoning comes as reasoning_content':
    '中国账户使用 https://api.siliconflow.cn/v1；推理内容在 reasoning_content 中',
  'Some models refuse fields that they do not know': '部分模型拒绝未知字段',
  'Refuses the penalties': '拒绝惩罚参数',
  'Without /v1': '不含 /v1',
  'Its compatible address; rerank is a kind of its own': '其兼容地址；重排序是单独的类型',
  'Upstream names may end in the provider, such as :groq': '上游名称可以以提供商结尾，例如 :groq',
  'The key is a GitHub token; upstream names have the vendor in front': '密钥为 GitHub 令牌；上游名称带厂商前缀',
  'The host of a region; the key is an API key of Bedrock; not every model':
    '某个区域的主机；密钥为 Bedrock 的 API 密钥；并非所有模型',
  'The kind gemini is closer to it': 'gemini 类型与其更接近',
  'Put in the account; upstream names begin with @cf/': '请填入账户；上游名称以 @cf/ 开头',
  'Its public models may have ended; check before use': '其公开模型可能已停止；使用前请确认',
  'Put in the workspace; upstream names are serving endpoints': '请填入工作区；上游名称为服务端点',
  'Put in the account; the key is a programmatic access token': '请填入账户；密钥为编程访问令牌',
  'Put in the region; the model gateway, with its API key': '请填入区域；使用模型网关及其 API 密钥',
  'Upstream names have the vendor in front': '上游名称带厂商前缀',
  'Needs no key; runs on a machine of your own': '无需密钥；运行在您自己的机器上',
  'A key only where it was started with --api-key': '仅在以 --api-key 启动时需要密钥',
  'Another gateway of this kind; its token is the key': '另一个同类网关；其令牌即密钥',
  'Videos too, in the task style': '也支持任务式视频',
  'Its virtual key is the key': '其虚拟密钥即密钥',
  'Put in the resource; upstream names are names of deployments': '请填入资源名；上游名称为部署名称',
  'The host of a region; the key is an API key of Bedrock': '某个区域的主机；密钥为 Bedrock 的 API 密钥',
  'Upstream names are names of deployments': '上游名称为部署名称',
  'Upstream names are ids of models, inference profiles or ARNs': '上游名称为模型 ID、推理配置或 ARN',
  'Upstream names are gemini-..., claude-...@date or publisher/name':
    '上游名称为 gemini-...、claude-...@date 或 publisher/name',
  'Singapore; keys belong to one region': '新加坡；密钥只属于一个区域',
  'Beijing; keys belong to one region': '北京；密钥只属于一个区域',
  China: '中国',
  'Keys work on the host of their console': '密钥只在其控制台所属主机上有效',
  'Keys belong to one of the two hosts': '密钥只属于两个主机之一',
  'For ray-2, ray-flash-2 and ray-1-6': '用于 ray-2、ray-flash-2 和 ray-1-6',
  'Channels of this provider cannot list their models.': '此类提供商的渠道无法列出模型。',
  'The upstream answered. Address and key are right; the model was not tried, since that would cost.':
    '上游已响应。地址与密钥正确；未测试模型，因为那会产生费用。',
  'The upstream answered, but not in the protocol of this provider.': '上游已响应，但不是此提供商类型的协议。',
  'not set': '未设置',
  set: '已设置',
};
