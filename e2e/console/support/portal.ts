// The portal in a browser, for tests: members of the filled accounts, and pages signed in as one of them.
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Account } from '#contract/accounts.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { type ConsolePage, openConsole } from './console.ts';

export const MEMBER_PASSWORD = 'a password of a member';

export interface TestMember {
  email: string;
  /** As name=value. */
  cookie: string;
  csrf: string;
}

/** The link that the person follows. */
export async function invite(gateway: TestGateway, account: Pick<Account, 'id'>, body: object): Promise<string> {
  const { invite: made } = await gateway.operator<{ invite: { link: string } }>(
    'POST',
    `/accounts/${account.id}/members`,
    body,
  );
  return new URL(made.link, gateway.address).href;
}

/** A member who has accepted the invite, without the form for it. */
export async function join(
  gateway: TestGateway,
  account: Pick<Account, 'id'>,
  body: { email: string; role: string },
): Promise<TestMember> {
  const [, token] = (await invite(gateway, account, body)).split('#invite=');
  const response = await fetch(`${gateway.address}/portal/v1/invites/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, password: MEMBER_PASSWORD }),
  });
  const { csrf_token: csrf } = (await response.json()) as { csrf_token: string };
  assert.equal(response.status, 201);
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? assert.fail('no cookie was set');
  return { email: body.email, cookie, csrf };
}

export interface PortalAnswer {
  status: number;
  text: string;
  headers: Headers;
}

/** A call to the portal API as the member. */
export async function callAs(
  { cookie, csrf }: TestMember,
  address: string,
  { method = 'GET', body, headers = {} }: { method?: string; body?: object; headers?: Record<string, string> } = {},
): Promise<PortalAnswer> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(address, {
    method,
    headers: { cookie, 'x-csrf-token': csrf, ...json, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

export async function openPortal(
  browser: Browser,
  gateway: TestGateway,
  { member, ...options }: BrowserContextOptions & { member?: TestMember } = {},
): Promise<ConsolePage> {
  const opened = await openConsole(browser, gateway, options);
  if (member !== undefined) {
    const [name = '', value = ''] = member.cookie.split('=');
    await opened.page.context().addCookies([{ name, value, url: gateway.address, httpOnly: true }]);
  }
  return {
    ...opened,
    async visit(path) {
      await opened.page.goto(`${gateway.address}/portal${path}`);
      await opened.page.getByRole('heading', { level: 1 }).waitFor();
    },
  };
}

/** The page has no more than the width of the screen. */
export async function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
