// Simplified Chinese of features/sign-in.
import type { Catalogue } from '../catalogue.ts';

export const signIn: Catalogue = {
  'Your sign-in service refused. Tell the operator of this gateway: its log says why.':
    '统一登录服务拒绝了请求。请告知网关管理员，原因见其日志。',
  'The answer of your sign-in service could not be trusted. Tell the operator of this gateway: its log says why.':
    '统一登录服务的响应不可信。请告知网关管理员，原因见其日志。',
  'Your sign-in service does not tell your e-mail address. Tell the operator of this gateway.':
    '统一登录服务没有提供您的邮箱地址。请告知网关管理员。',
  'The account you used has no access to this console. Use another account, or ask the operator of this gateway to name your e-mail address in its settings.':
    '您使用的账号无权访问此控制台。请换用其他账号，或请网关管理员在设置中加入您的邮箱地址。',
  'Your access to this console is disabled. Ask an admin to enable you.':
    '您对此控制台的访问已被停用。请联系管理员启用。',
  'The sign-in did not work. Try again, or tell the operator of this gateway: its log says why.':
    '登录未成功。请重试，或告知网关管理员，原因见其日志。',
  'Choose your own password': '设置自己的密码',
  'The password you signed in with was printed or given to you. Replace it before you go on.':
    '您登录所用的密码是打印或他人提供的。请先更换再继续。',
  'Operator console': '管理控制台',
  'Six digits of your authenticator, or a recovery code': '验证器的六位数字，或恢复码',
};
