// Every page of the console, with what it takes to see its other faces.
import type { Page } from 'playwright-core';
import { PASSWORD } from './console.ts';
import type { Filled } from './fill-gateway.ts';

export interface ConsolePage {
  name: string;
  path: string;
  prepare?(page: Page): Promise<void>;
}

/** `say` puts the names of buttons and fields into the language of the page. */
export function pagesOf(
  { account, token, channel, request, failed, videos }: Filled,
  say: (text: string) => string = (text) => text,
): ConsolePage[] {
  const press =
    (text: string, name = say(text)) =>
    async (page: Page) => {
      await page.getByRole('button', { name, exact: true }).first().click();
      await page.getByRole('dialog').waitFor();
    };
  return [
    { name: 'overview', path: '/?range=24h' },
    { name: 'usage', path: '/usage' },
    { name: 'requests', path: '/requests' },
    { name: 'request', path: `/requests/${request.id}` },
    { name: 'request-failed', path: `/requests/${failed.id}` },
    { name: 'tasks', path: '/tasks' },
    { name: 'task', path: `/tasks/${videos.done.id}` },
    { name: 'task-failed', path: `/tasks/${videos.failed.id}` },
    { name: 'alerts', path: '/alerts' },
    { name: 'alert-sink', path: '/alerts', prepare: press('Add sink') },
    { name: 'playground', path: '/playground' },
    { name: 'playground-video', path: '/playground?kind=video' },
    { name: 'accounts', path: '/accounts' },
    { name: 'account', path: `/accounts/${account.id}` },
    { name: 'account-credit', path: `/accounts/${account.id}`, prepare: press('Add credit') },
    { name: 'account-edit', path: `/accounts/${account.id}`, prepare: press('Edit') },
    { name: 'member-invite', path: `/accounts/${account.id}`, prepare: press('Invite member') },
    { name: 'codes', path: '/codes' },
    { name: 'codes-create', path: '/codes', prepare: press('Create codes') },
    { name: 'tokens', path: '/tokens' },
    { name: 'token', path: `/tokens/${token.id}` },
    { name: 'token-create', path: '/tokens', prepare: press('Create token') },
    { name: 'groups', path: '/groups' },
    { name: 'ledger', path: '/ledger' },
    { name: 'channels', path: '/channels' },
    { name: 'channel', path: `/channels/${channel.id}` },
    { name: 'channel-edit', path: `/channels/${channel.id}`, prepare: press('Edit') },
    { name: 'connect', path: '/channels/new' },
    { name: 'models', path: '/models' },
    {
      name: 'model-edit',
      path: '/models?find=orion-large',
      prepare: press('', say('Edit {id}').replace('{id}', 'orion-large')),
    },
    {
      name: 'price-history',
      path: '/models?find=orion-large',
      prepare: press('', say('History of the prices of {id}').replace('{id}', 'orion-large')),
    },
    {
      name: 'price-import',
      path: '/models',
      async prepare(page) {
        await press('Import list prices')(page);
        await page.getByRole('switch', { name: say('Also make models that are not in the catalogue yet') }).check();
        // A few: axe would look at every row of the whole list.
        await page.getByRole('combobox', { name: say('Only these models') }).fill('gpt-4o*');
        await page.getByRole('combobox', { name: say('Only these models') }).press('Enter');
        await page.getByRole('button', { name: say('Show what would change') }).click();
        await page.getByRole('region', { name: say('What would change') }).waitFor();
      },
    },
    { name: 'flags', path: '/flags' },
    { name: 'operators', path: '/operators' },
    { name: 'audit', path: '/audit' },
    { name: 'settings', path: '/settings' },
    {
      name: 'second-factor',
      path: '/settings',
      async prepare(page) {
        await press('Set up')(page);
        await page.getByRole('textbox', { name: say('Your password') }).fill(PASSWORD);
        await page.getByRole('button', { name: say('Continue') }).click();
        await page.getByRole('img', { name: say('QR code for the authenticator') }).waitFor();
      },
    },
    { name: 'start', path: '/start' },
  ];
}
