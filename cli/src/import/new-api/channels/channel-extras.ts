// Settings of a channel beside address, keys and models: what has an equivalent here, and what is reported because it has none.
import type { PlannedChannel } from '../../import-plan.ts';
import { headerFields } from '#contract/values/header-fields.ts';
import { object, type Row, text } from '../../sources/source.ts';

export interface Extras {
  headers: Record<string, string>;
  options: NonNullable<PlannedChannel['options']>;
}

export function readExtras(row: Row, say: (reason: string) => void): Extras {
  const setting = object(row['setting']) ?? {};
  const proxy = text(setting['proxy']).trim();
  if (proxy !== '' && !/^https?:\/\//i.test(proxy)) say(`its proxy ${proxy.split('://')[0]}:// is not an HTTP proxy`);
  if (Object.keys(object(row['param_override']) ?? {}).length > 0) say('param_override has no equivalent here');
  if (Object.keys(object(row['status_code_mapping']) ?? {}).length > 0)
    say('status_code_mapping has no equivalent here');
  if (text(setting['system_prompt'] ?? row['system_prompt']).trim() !== '') say('its system prompt is not added here');
  return {
    headers: readHeaders(row, say),
    options: /^https?:\/\//i.test(proxy) ? { proxy } : {},
  };
}

function readHeaders(row: Row, say: (reason: string) => void): Record<string, string> {
  const headers: Record<string, string> = {};
  const organization = text(row['open_ai_organization'] ?? row['openai_organization']).trim();
  if (organization !== '') headers['openai-organization'] = organization;
  for (const [name, value] of Object.entries(object(row['header_override']) ?? {})) {
    const isPlain =
      typeof value === 'string' && !value.includes('{') && headerFields.safeParse({ [name]: value }).success;
    if (isPlain) headers[name] = value;
    else say(`its header ${name} cannot be set here`);
  }
  return headers;
}
