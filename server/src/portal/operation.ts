// What every route of the portal API says about itself in the OpenAPI document.
export function operation(tag: string, summary: string) {
  return { tags: [tag], summary, security: [{ portalSession: [] }] };
}
