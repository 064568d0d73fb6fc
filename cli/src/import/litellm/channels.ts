// Deployments of LiteLLM as channels: those with the same upstream and key become one.
import { createHash } from 'node:crypto';
import { channelCreate } from '#contract/channels.ts';
import { modelId } from '#contract/values/text.ts';
import type { NotTaken, PlannedChannel } from '../import-plan.ts';
import { object, type Row, text, whole } from '../sources/source.ts';
import { type Deployment, resolve } from './config.ts';
import { findVendor, type FoundVendor } from './vendors.ts';
import { readCredential } from './credentials.ts';

export interface Carried {
  /** Public name. */
  model: string;
  upstream: string;
  deployment: Deployment;
}

export interface ReadDeployments {
  channels: PlannedChannel[];
  carried: Carried[];
  notTaken: NotTaken[];
}

/** What of `litellm_params` becomes something here, or says nothing to a gateway. */
const READ =
  /^(?:model|api_key|api_base|base_url|api_version|organization|extra_headers|weight|timeout|custom_llm_provider|litellm_credential_name|aws_(?:access_key_id|secret_access_key|session_token|region_name)|vertex_(?:project|location|credentials)|(?:input|output|cache)_.*cost.*|drop_params|max_retries)$/;

export function readDeployments(deployments: readonly Deployment[], environment: NodeJS.ProcessEnv): ReadDeployments {
  const channels = new Map<string, PlannedChannel>();
  const carried: Carried[] = [];
  const notTaken: NotTaken[] = [];
  for (const deployment of deployments) {
    const { name, params, info } = deployment;
    const say = (reason: string): void => void notTaken.push({ kind: 'model', name, reason });
    if (name.includes('*') || text(params['model']).includes('*')) {
      say('names all models of a vendor; add the ones that are used to the channel, with their prices');
      continue;
    }
    const found = findVendor(text(params['model']), {
      given: text(params['custom_llm_provider']),
      hasBase: text(params['api_base'] ?? params['base_url']) !== '',
      isRerank: text(info['mode']) === 'rerank',
    });
    if (found === undefined || !modelId.safeParse(name).success) {
      say(
        found === undefined
          ? `no kind of upstream here speaks to "${text(params['model'])}"`
          : 'is no name that can be written here',
      );
      continue;
    }
    const channel = channelOf(found, { params, environment, say });
    const [issue] = channelCreate.safeParse(channel).error?.issues ?? [];
    if (issue !== undefined) {
      say(`"${issue.path.join('.')}" ${issue.message}; make the channel by hand`);
      continue;
    }
    add(channels, channel, { name, upstream: found.upstream });
    const left = Object.keys(params).filter((field) => !READ.test(field));
    if (left.length > 0) say(`${left.join(', ')} of its litellm_params: not taken over`);
    carried.push({ model: name, upstream: found.upstream, deployment });
  }
  return { channels: [...channels.values()], carried, notTaken };
}

/** A second deployment of one name with the same key needs a channel of its own. */
function add(
  channels: Map<string, PlannedChannel>,
  channel: PlannedChannel,
  model: { name: string; upstream: string },
): void {
  for (let copy = 1; ; copy++) {
    const name = copy === 1 ? channel.name : `${channel.name} #${copy}`;
    const there = channels.get(name) ?? { ...channel, name, models: {} };
    const taken = there.models?.[model.name];
    if (taken === model.upstream) return;
    if (taken !== undefined) continue;
    there.models = { ...there.models, [model.name]: model.upstream };
    channels.set(name, there);
    return;
  }
}

interface Context {
  params: Row;
  environment: NodeJS.ProcessEnv;
  say: (reason: string) => void;
}

function channelOf({ prefix, vendor }: FoundVendor, context: Context): PlannedChannel {
  const { params, environment, say } = context;
  const credential = readCredential(vendor, params, environment);
  if (credential.missing !== undefined)
    say(`${credential.missing} is not set here, so its channel has no key and is disabled; set it and add the key`);
  const own = resolve(params['api_base'] ?? params['base_url'], environment).value.replace(/\/+$/, '');
  const base = own !== '' && vendor.path !== undefined && !own.endsWith(vendor.path) ? own + vendor.path : own;
  const weight = Number(whole(params['weight']));
  const timeout = Number(params['timeout']);
  const fields = {
    provider: vendor.provider,
    base_url: base === '' ? (credential.baseUrl ?? vendor.baseUrl) : base,
    keys: credential.keys,
    weight: Number.isInteger(weight) && weight > 0 ? Math.min(weight, 1_000_000) : 1,
    status: credential.missing === undefined ? ('enabled' as const) : ('disabled' as const),
    headers: headersOf(params),
    options: {
      ...credential.options,
      ...(vendor.speaks !== undefined && { speaks: vendor.speaks }),
      ...(Number.isFinite(timeout) && timeout > 0 && { total_ms: Math.min(3_600_000, Math.ceil(timeout * 1000)) }),
      ...(vendor.provider === 'azure' &&
        text(params['api_version']) !== '' && {
          api_version: resolve(params['api_version'], environment).value,
        }),
    },
  };
  const references = ['api_key', 'aws_access_key_id', 'vertex_credentials'].map((name) => text(params[name]));
  const digest = createHash('sha256').update(JSON.stringify([{ ...fields, keys: references, status: null }]));
  return { name: `litellm ${prefix} ${digest.digest('hex').slice(0, 6)}`, ...fields };
}

function headersOf(params: Row): Record<string, string> {
  const headers = Object.fromEntries(
    Object.entries(object(params['extra_headers']) ?? {}).map(([name, value]) => [name, text(value)]),
  );
  const organization = text(params['organization']);
  return organization === '' ? headers : { ...headers, 'openai-organization': organization };
}
