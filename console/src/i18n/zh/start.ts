// Simplified Chinese of features/start.
import type { Catalogue } from '../catalogue.ts';

export const start: Catalogue = {
  'A channel is an upstream that answers requests: a vendor, or a server of your own, with its address and keys.':
    '渠道是响应请求的上游：某个厂商或您自己的服务器，包含地址和密钥。',
  'The built-in sandbox is on. It answers like a real upstream and costs nothing, so you can keep it for trying out.':
    '内置沙箱已开启。它像真实上游一样响应且不产生费用，可以保留用来试用。',
  'There is no enabled channel yet. Add one, then come back here.': '还没有启用的渠道。请添加后返回此页。',
  'Keep the sandbox and continue': '保留沙箱并继续',
  'Add a channel': '添加渠道',
  'A model is offered when it has a price and an enabled channel carries it. Choose one to try.':
    '模型有价格且有启用的渠道支持时才会提供。选择一个试用。',
  'No chat model is offered yet. Give one a price under Models and prices.':
    '还没有提供对话模型。请在“模型与价格”中为模型定价。',
  'Hello! What are you?': '你好！你是谁？',
  'Choose a model and make a token first.': '请先选择模型并创建令牌。',
  Message: '消息',
  Send: '发送',
  'Your gateway answered in {time}.': '网关用时 {time} 响应。',
  'See its route and charge': '查看其路由和费用',
  'Four steps from an empty gateway to an answered request. Each can be done again at any time.':
    '四步从空网关到收到第一个回答，每一步都可随时重做。',
  'Your gateway': '您的网关',
  'Where answers come from': '回答从哪里来',
  'What you offer': '您提供什么',
  'Who may call': '谁可以调用',
  'See it work': '试一试',
  'Clients call with a token. It belongs to an account, which pays. This one ends by itself in an hour.':
    '客户端凭令牌调用。令牌属于付费的账户。此令牌一小时后自动失效。',
  'There is no account yet. Create one and give it credit first.': '还没有账户。请先创建并充值。',
  'Make a token': '创建令牌',
  'Here is the token. It is shown only now.': '这是令牌，只显示这一次。',
};
