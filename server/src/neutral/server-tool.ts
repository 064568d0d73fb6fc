// Tools that a provider runs itself, such as its web search: one name for all versions of each.

/** The vendor's type without what marks a preview or a date: `web_search_preview_2025_03_11` is `web_search`. */
export function toolName(type: string): string {
  return type.toLowerCase().replace(/(?:_preview)?(?:_\d{8}|_\d{4}_\d{2}_\d{2})?$/, '');
}
