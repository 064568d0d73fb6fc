// The options that chat and completions share: stop sequences and what a stream tells.
import { checkBoolean } from '../fields/check-fields.ts';
import { isObject, refuse } from '../fields/refuse.ts';

export function readIncludeUsage(options: unknown, stream: boolean): boolean {
  if (options === undefined || options === null) return false;
  if (!stream) {
    refuse(
      'stream_options',
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'invalid_value',
    );
  }
  if (!isObject(options)) refuse('stream_options', "Invalid type for 'stream_options': expected an object.");
  return checkBoolean(options['include_usage'], 'stream_options.include_usage');
}

export function readStop(stop: unknown): string[] {
  if (stop === undefined || stop === null) return [];
  const list: unknown[] = Array.isArray(stop) ? stop : [stop];
  const texts = list.filter((one) => typeof one === 'string');
  if (texts.length < list.length) refuse('stop', "Invalid type for 'stop': expected a string or an array of strings.");
  if (texts.length > 4) refuse('stop', "Invalid 'stop': array too long. Expected at most 4.", 'array_above_max_length');
  return texts.filter((one) => one !== '');
}
