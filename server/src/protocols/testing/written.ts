// A request written for an upstream, and what could not be translated: what the tests of writing share.
import type { Message, Part } from '../../neutral/conversation.ts';
import { Dropped } from '../../neutral/dropped.ts';
import type { Generation, SettingPaths } from '../../neutral/generation.ts';
import type { JsonRecord } from '../json/json-value.ts';
import type { UpstreamSide } from '../text-protocol.ts';

export const text = (value: string): Part => ({ type: 'text', text: value, path: 'p' });
export const message = (role: Message['role'], ...content: Part[]): Message => ({ role, content, path: 'm' });
export const HELLO = message('user', text('hi'));

export interface Written {
  body: JsonRecord;
  dropped: readonly string[];
}

type Write = (given: Partial<Generation>, upstreamModel?: string, dropFields?: string[]) => Written;

/** For an upstream with this model, and a caller with these names of settings. */
export function writer(writeGeneration: UpstreamSide['writeGeneration'], usual: string, paths: SettingPaths): Write {
  return (given, upstreamModel = usual, dropFields = []) => {
    const base = {
      model: 'm',
      stream: false,
      messages: [HELLO],
      tools: [],
      settings: {},
      showsUsage: false,
      unknown: [],
    };
    const dropped = new Dropped(paths);
    const target = { upstreamModel, dropFields, defaultMaxOutput: 4096, dropped };
    const bytes = writeGeneration({ ...base, ...given }, target);
    return { body: JSON.parse(bytes.toString()) as JsonRecord, dropped: dropped.paths };
  };
}
