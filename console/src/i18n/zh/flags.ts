// Simplified Chinese of features/flags.
import type { Catalogue } from '../catalogue.ts';

export const flags: Catalogue = {
  'Offered to': '适用于',
  'A model that names a flag is offered only where that flag is on: for some accounts, some groups, or everybody.':
    '绑定开关的模型只在开关开启的范围内提供：部分账户、部分分组或所有人。',
  'Create flag': '创建开关',
  'No flags': '没有功能开关',
  'Use one to show a new model to a few customers first.': '可用于先向少数客户开放新模型。',
  'Remove this flag': '移除此开关',
  'Models that name {name} will exist nowhere.': '绑定 {name} 的模型将不再对任何人提供。',
  'Edit flag': '编辑开关',
  'group {name}': '分组 {name}',
  everybody: '所有人',
  On: '开启',
  'Only for these accounts': '仅限这些账户',
  'Only for these groups': '仅限这些分组',
  'With neither accounts nor groups the flag is on for everybody': '账户和分组都不选时对所有人开启',
};
