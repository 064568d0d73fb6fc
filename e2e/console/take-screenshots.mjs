// `npm run screenshots`: the pictures of the documents, of console and portal, into docs/images. `npm run screenshots -- folder all`:
// every page, light, dark, on a phone and in Chinese, to look at. Starts a gateway of its own with the sandbox, fills it with
// two months of traffic of a hundred accounts, and looks at it with a real browser.
import { mkdirSync } from 'node:fs';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway } from '../support/gateway.ts';
import { addHistory, leaveRoom } from './support/add-history.ts';
import { openConsole, openSignedIn, PASSWORD } from './support/console.ts';
import { fillCustomers } from './support/fill-customers.ts';
import { fillGateway } from './support/fill-gateway.ts';
import { pagesOf } from './support/pages.ts';
import { join, openPortal } from './support/portal.ts';
import { inChinese } from './support/words.ts';

const TARGET = process.argv[2] ?? 'docs/images';
const SIZE = { width: 1360, height: 900 };
const PHONE = { width: 390, height: 844 };
const ALL = process.argv[3] === 'all';
/** What the documents show. */
const LIGHT =
  'overview usage requests request request-failed tasks task alerts playground account tokens ledger channels channel connect model audit start';
const DARK = 'overview usage request channels';
const PHONE_SHOWN = 'overview channels';
const CHINESE = 'overview usage';
const PORTAL = 'overview usage tokens task statements';

const chosen = (pages, names) => pages.filter(({ name }) => ALL || names.split(' ').includes(name));

mkdirSync(TARGET, { recursive: true });
const gateway = await startTestGateway({
  settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD, LOG_LEVEL: 'silent', TOLLGATE_PORTAL_COLOR: '#0F766E' },
});
const browser = await launchBrowser();
try {
  await leaveRoom(gateway);
  const filled = await fillGateway(gateway);
  await addHistory(gateway, filled, await fillCustomers(gateway, filled));
  const member = await join(gateway, filled.account, { email: 'anna@northwind.example', role: 'owner' });
  const ofPortal = [
    { name: 'overview', path: '/' },
    { name: 'usage', path: '/usage' },
    { name: 'tokens', path: '/tokens' },
    { name: 'requests', path: '/requests' },
    { name: 'tasks', path: '/tasks' },
    { name: 'task', path: `/tasks/${filled.videos.done.id}` },
    { name: 'statements', path: '/statements' },
    { name: 'settings', path: '/settings' },
  ];
  const ofConsole = (say) => [
    ...pagesOf(filled, say),
    { name: 'model', path: '/models/orion-large' },
    { name: 'ledger-entries', path: '/ledger?account_id=' + filled.account.id },
  ];

  async function shootAll(opened, pages, nameOf) {
    for (const { name, path, prepare } of pages) {
      try {
        await opened.visit(path);
        await opened.page.waitForLoadState('networkidle');
        await prepare?.(opened.page);
        await opened.page.waitForTimeout(300);
      } catch (error) {
        if (!ALL) throw error;
        console.error(name, error.message.split('\n')[0]);
      }
      await opened.page.screenshot({ path: `${TARGET}/${nameOf(name)}.png` });
    }
    await opened.close();
  }

  for (const colorScheme of ['light', 'dark']) {
    const look = { viewport: SIZE, colorScheme, timezoneId: 'UTC' };
    const signIn = [{ name: 'sign-in', path: '/' }];
    if (ALL)
      await shootAll(await openConsole(browser, gateway, look), signIn, (name) => `console-${name}-${colorScheme}`);
    const shown = chosen(ofConsole(), colorScheme === 'light' ? LIGHT : DARK);
    await shootAll(await openSignedIn(browser, gateway, look), shown, (name) => `console-${name}-${colorScheme}`);
    const portal = await openPortal(browser, gateway, { ...look, member });
    await shootAll(
      portal,
      chosen(ofPortal, colorScheme === 'light' ? PORTAL : ''),
      (name) => `portal-${name}-${colorScheme}`,
    );
  }
  const phone = { viewport: PHONE, timezoneId: 'UTC' };
  await shootAll(
    await openSignedIn(browser, gateway, phone),
    chosen(ofConsole(), PHONE_SHOWN),
    (name) => `console-${name}-phone`,
  );
  await shootAll(
    await openPortal(browser, gateway, { ...phone, member }),
    chosen(ofPortal, 'overview'),
    (name) => `portal-${name}-phone`,
  );
  const chinese = { viewport: SIZE, timezoneId: 'Asia/Shanghai', locale: 'zh-CN' };
  const inZh = await openSignedIn(browser, gateway, chinese);
  if (await drawsChinese(inZh.page)) {
    await shootAll(inZh, chosen(ofConsole(inChinese), CHINESE), (name) => `console-${name}-zh`);
    const portal = await openPortal(browser, gateway, { ...chinese, member });
    await shootAll(portal, chosen(ofPortal, 'overview'), (name) => `portal-${name}-zh`);
  } else console.error('tollgate: this machine has no Chinese font; those pictures are left as they are');
} finally {
  await browser.close();
  await gateway.stop();
}
console.error(`tollgate: pictures are in ${TARGET}`);

/** Without a font every letter is the same box. */
async function drawsChinese(page) {
  return page.evaluate(() => {
    const draw = (letter) => {
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d');
      context.font = '40px sans-serif';
      context.fillText(letter, 10, 60);
      return canvas.toDataURL();
    };
    return draw('\u4e00') !== draw('\u9f99');
  });
}
