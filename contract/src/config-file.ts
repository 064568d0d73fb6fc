// The configuration as one file: what `tollgate plan`, `apply` and `export` read and write. Only fields that it names are
// looked at and changed. Secrets are named, not written: `env:NAME` or `file:path`.
import { z } from 'zod';
import { alertRuleName } from './alert-rules.ts';
import { alertRulePut, alertSinkCreate } from './alerts.ts';
import { accountCreate } from './accounts.ts';
import { channelCreate } from './channels.ts';
import { flagPut } from './flags.ts';
import { groupPut } from './groups.ts';
import { modelPut } from './models.ts';
import { tokenCreate } from './tokens.ts';
import { displayName, groupName, line, modelId } from './values/text.ts';
import { unixTime } from './values/times.ts';

const REFERENCE = /^(?:env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$/;

const secret = z
  .string()
  .regex(REFERENCE, 'must be env:NAME or file:path, never the secret itself')
  .meta({ description: 'Where the secret is: env:NAME or file:path' });

const withoutName = { name: true } as const;

const channelEntry = channelCreate.omit(withoutName).extend({
  keys: z.array(secret).max(100).default([]),
  headers: z.record(z.string(), secret).default({}),
});

const { key: _key, key_hash: _hash, account_id: _account, name: _name, ...tokenFields } = tokenCreate.shape;
const tokenEntry = z.strictObject({
  ...tokenFields,
  account: displayName.meta({ description: 'Name of its account' }),
  key: secret.optional().meta({ description: 'Left out = a new key is made and printed once' }),
});

const sinkEntry = alertSinkCreate
  .omit(withoutName)
  .extend({
    url: line(2000).nullable().default(null).meta({
      description:
        'env:NAME or file:path, because addresses of chats are secrets; of a webhook also the address itself',
    }),
    secret: secret.nullable().default(null),
  })
  .refine(({ kind, url }) => kind === 'webhook' || url === null || REFERENCE.test(url), {
    path: ['url'],
    message: 'must be env:NAME or file:path, never the secret itself',
  });

const flagEntry = flagPut.omit({ accounts: true }).extend({
  accounts: z.array(displayName).max(10_000).default([]).meta({ description: 'Names of accounts' }),
});

export const configFile = z
  .strictObject({
    version: z.literal(1).default(1),
    name: line(100).default('tollgate').meta({ description: 'Tells several files of one gateway apart' }),
    groups: z.record(groupName, groupPut).default({}),
    flags: z.record(line(100), flagEntry).default({}),
    models: z.record(modelId, modelPut.omit({ created: true })).default({}),
    channels: z.record(displayName, channelEntry).default({}),
    accounts: z.record(displayName, accountCreate.omit(withoutName)).default({}),
    tokens: z.record(displayName, tokenEntry).default({}),
    alert_rules: z.partialRecord(alertRuleName, alertRulePut).default({}),
    alert_sinks: z.record(displayName, sinkEntry).default({}),
  })
  .meta({ id: 'ConfigFile' });

/** In the order in which they are applied: later ones name earlier ones. */
export const CONFIG_KINDS = [
  'groups',
  'accounts',
  'flags',
  'models',
  'channels',
  'tokens',
  'alert_rules',
  'alert_sinks',
] as const;
export type ConfigKind = (typeof CONFIG_KINDS)[number];
export type ConfigFile = z.infer<typeof configFile>;

/** Something that the file made and that is not as the file says any more. */
export const configDrift = z
  .object({
    kind: z.string(),
    name: z.string(),
    action: z.enum(['changed', 'removed']),
    fields: z.array(z.string()),
    id: z.string().nullable().meta({ description: 'Of what is there; null when it was removed' }),
    changed_by: z.string().nullable().meta({ description: 'Who did it last, by the audit log; null = not known' }),
    changed_at: unixTime.nullable(),
  })
  .meta({ id: 'ConfigDrift' });

/** By kind and name; of a token also its account, because other accounts may have one of the same name. */
const left = z
  .record(z.string(), z.record(z.string(), z.object({ account: z.string().optional() })))
  .meta({ description: 'What the file made and no longer names, and no `--prune` has removed yet' });

const path = z.string().max(4096).meta({ description: 'Where the file was read; tells files without a name apart' });

/** As the gateway keeps it after an apply: the text of the file as JSON, without any secret. */
export const appliedConfig = z
  .object({
    name: z.string(),
    content: z.record(z.string(), z.unknown()),
    applied_by: z.string(),
    applied_at: unixTime,
    drift: z.array(configDrift).meta({ description: 'What differs from the file by now' }),
    left: left.optional(),
    path: path.optional(),
  })
  .meta({ id: 'AppliedConfig' });

export const appliedConfigPut = z.strictObject({
  content: configFile.loose(),
  left: left.optional(),
  path: path.optional(),
});
export const appliedConfigList = z.object({ data: z.array(appliedConfig), next_cursor: z.null() });

export type ConfigDrift = z.infer<typeof configDrift>;
export type AppliedConfig = z.infer<typeof appliedConfig>;
