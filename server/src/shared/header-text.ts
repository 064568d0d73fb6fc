// What the names and values of HTTP headers may hold (RFC 9110, 5.1 and 5.5).

export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Finds what would end a value before its end, or become another header. */
export const NOT_IN_HEADER_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
