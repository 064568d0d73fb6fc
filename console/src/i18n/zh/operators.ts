// Simplified Chinese of features/operators.
import type { Catalogue } from '../catalogue.ts';

export const operators: Catalogue = {
  'Make admin': '设为管理员',
  'Make viewer': '设为只读',
  'Make {name} an admin': '将 {name} 设为管理员',
  'Make {name} a viewer': '将 {name} 设为只读',
  'Admins may change everything, also other operators.': '管理员可以修改一切，包括其他操作员。',
  'Viewers only read.': '只读成员只能查看。',
  'Reset password': '重置密码',
  'Give {name} a new password': '为 {name} 设置新密码',
  'All their sessions end, and they must choose their own password when they sign in again.':
    '其所有会话都会结束，再次登录时必须自行设置密码。',
  'Reset second factor': '重置两步验证',
  'Take the second factor of {name} away': '取消 {name} 的两步验证',
  'For somebody who has lost their authenticator and their recovery codes: they sign in with their password alone until they set up another. All their sessions end.':
    '适用于丢失验证器和恢复码的情况：重新设置之前仅凭密码登录。其所有会话都会结束。',
  'Take it away': '取消验证',
  'Enable {name}': '启用 {name}',
  'They are signed out everywhere and cannot sign in.': '将在所有设备上退出，且无法登录。',
  'They can sign in again.': '可以重新登录。',
  'Reads the operator API and /metrics.': '可读取管理 API 和 /metrics。',
  'May change everything, also operators and other keys.': '可修改一切，包括操作员和其他密钥。',
  'Reads /metrics and nothing else.': '仅可读取 /metrics。',
  'The program that uses it, such as prometheus; the audit log names it':
    '使用它的程序，例如 prometheus；会记入审计日志',
  'Create key': '创建密钥',
  'Operator keys': '管理密钥',
  'For programs: scripts, deployments, Prometheus. Each has a role and can be revoked alone.':
    '供程序使用：脚本、部署、Prometheus。每个密钥有各自的角色，可单独吊销。',
  'No operator keys': '没有管理密钥',
  'Made by': '创建者',
  'Create operator key': '创建管理密钥',
  'Your new operator key': '新的管理密钥',
  'The program sends it as {header} to /operator/v1 or /metrics':
    '程序以 {header} 请求头发送到 /operator/v1 或 /metrics',
  'Disable the key {name}': '停用密钥 {name}',
  'Enable the key {name}': '启用密钥 {name}',
  'It is refused until it is enabled again.': '重新启用之前会被拒绝。',
  'It is accepted again.': '将重新被接受。',
  'Remove the key {name}': '移除密钥 {name}',
  'It is refused from now on, on every node. This cannot be undone.': '从现在起在所有节点上被拒绝，无法撤销。',
  "An admin changes things, a viewer only reads. Every change is in the audit log under its author's name.":
    '管理员可以修改，只读成员只能查看。每项变更都以操作者的名义记入审计日志。',
  'Add operator': '添加操作员',
  'No operators': '没有操作员',
  'second factor': '两步验证',
  'has yet to choose a password': '尚未设置密码',
  'As typed at sign-in': '登录时输入的名称',
  'First password': '初始密码',
  'They must choose their own when they first sign in': '首次登录时必须自行修改',
  'A password has at least 10 characters.': '密码至少需要 10 个字符。',
};
