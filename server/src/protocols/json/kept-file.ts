// Whether an address of a file is one that only our key opens: the vendor's own files, or a bucket. All others are open to
// everybody who has the address.
const KEPT_PATH = /(?:^|\/)v\d\w*\/files\/|^\/?files\//i;
const VENDOR = /(?:^|\.)googleapis\.com\.?$/i;

export function isKeptFile(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return text.trim() !== '';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return url.protocol !== 'data:';
  return VENDOR.test(url.hostname) || KEPT_PATH.test(url.pathname);
}
