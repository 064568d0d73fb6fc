// Addresses and CIDR ranges, IPv4 and IPv6, and the base address of an upstream.
import { z } from 'zod';

const forms = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()];

export const addressRange = z
  .string()
  .max(64)
  .refine(
    (text) => forms.some((form) => form.safeParse(text).success),
    'must be an IPv4 or IPv6 address, with or without a prefix length',
  );

/** http(s) without credentials or fragment: these belong to keys and headers. A query goes with every request. */
export const baseUrl = z
  .string()
  .max(500)
  .refine(isBaseUrl, 'must be an http or https address without user name, password or fragment');

/** `http://host:port`, with a user name and a password where the proxy wants them. */
export const proxyUrl = z
  .string()
  .max(500)
  .refine(
    (text) => /^https?:\/\/(?:[^\s\p{Cc}\\/?#@]+@)?[^\s\p{Cc}\\/?#@]+\/?$/iu.test(text) && URL.canParse(text),
    'must be an http or https address of a proxy: scheme, host and port, perhaps user:password@ before them',
  );

function isBaseUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s\p{Cc}\\?#@]+(?:\?[^\s\p{Cc}\\#]*)?$/iu.test(text)) return false;
  return URL.canParse(text);
}
