// The invite that a member follows: it stands behind the # of the address, which browsers send to nobody.
const SHAPE = /^#invite=([^&]+)$/;

export function inviteInAddress(): string | undefined {
  const [, token] = SHAPE.exec(location.hash) ?? [];
  return token === undefined ? undefined : decodeURIComponent(token);
}

/** Nothing of it stays in the history of the browser. */
export function forgetInvite(): void {
  history.replaceState(null, '', location.pathname + location.search);
}
