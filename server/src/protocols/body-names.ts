// What a body names, found in its bytes when somebody asks: so seldom that no request pays for it beforehand.

/** A mark for the upstream's cache, as callers of any protocol write it. One too many makes no more than a larger hold. */
export function marksCache(body: Buffer): boolean {
  return body.includes('"cache_control"') || body.includes('"prompt_cache_breakpoint"');
}
