// What a client may ask of a download on condition (RFC 9110, section 13): only if it changed, or a range only if not.
export interface ContentConditions {
  /** The client's headers of those names. */
  range: string | undefined;
  ifRange: string | undefined;
  ifNoneMatch: string | undefined;
  ifModifiedSince: string | undefined;
}

/** What tells one state of a file from another. */
export interface Validators {
  /** With its quotes. */
  etag: string;
  /** As an HTTP date. */
  lastModified: string;
}

/** The client has it already. A tag decides over a date. */
export function isUnchanged(
  { ifNoneMatch, ifModifiedSince }: ContentConditions,
  { etag, lastModified }: Validators,
): boolean {
  if (ifNoneMatch !== undefined)
    return ifNoneMatch.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
  return ifModifiedSince !== undefined && Date.parse(lastModified) <= Date.parse(ifModifiedSince);
}

/** The client's range, unless it is part of another state than this: then it gets the whole. */
export function rangeOf({ range, ifRange }: ContentConditions, { etag, lastModified }: Validators): string | undefined {
  return ifRange === undefined || [etag, lastModified].includes(ifRange.trim()) ? range : undefined;
}
