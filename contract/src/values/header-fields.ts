// Extra headers that a channel sends to its upstream. What frames the message or carries the channel's key is not theirs
// to set.
import { z } from 'zod';

const MAXIMUM = 50;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/; // RFC 9110, token
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const refused = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export const headerFields = z
  .record(
    z
      .string()
      .regex(NAME, 'must be a valid header name')
      .refine((name) => !refused.has(name.toLowerCase()), 'is a header that the gateway sets itself'),
    z.string().max(2000).regex(VALUE, 'must be a valid header value'),
  )
  .refine((headers) => Object.keys(headers).length <= MAXIMUM, `must have at most ${MAXIMUM} headers`)
  .refine(
    (headers) => new Set(Object.keys(headers).map((name) => name.toLowerCase())).size === Object.keys(headers).length,
    'must not have the same header twice in different case',
  );
