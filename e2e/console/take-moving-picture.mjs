// `npm run moving-picture`: a tour of the console as one moving picture, docs/pictures/tour.png, of screenshots of a real browser:
// overview, a streamed answer in the playground, and the request with its charge.
import { writeFileSync } from 'node:fs';
import { animatePng } from '../../scripts/animate-png.mjs';
import { launchBrowser } from '../support/browser.ts';
import { startTestGateway } from '../support/gateway.ts';
import { addHistory, leaveRoom } from './support/add-history.ts';
import { choose, openSignedIn, PASSWORD } from './support/console.ts';
import { fillGateway } from './support/fill-gateway.ts';

const TARGET = process.argv[2] ?? 'docs/pictures/tour.png';
const SIZE = { width: 1000, height: 740 };
const PROMPT = 'Why is money held before a call? [[pace 60]]';

const gateway = await startTestGateway({ settings: { TOLLGATE_OPERATOR_PASSWORD: PASSWORD, LOG_LEVEL: 'silent' } });
const browser = await launchBrowser();
try {
  await leaveRoom(gateway);
  await addHistory(gateway, await fillGateway(gateway));
  const { page, visit } = await openSignedIn(browser, gateway, { viewport: SIZE, timezoneId: 'UTC' });
  const frames = [];
  const shoot = async (milliseconds) => frames.push({ png: await page.screenshot(), milliseconds });
  const settle = async () => {
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(400);
  };
  await visit('/');
  await settle();
  await shoot(2500);
  await visit('/playground');
  await page.getByRole('button', { name: 'Make a token for an hour' }).click();
  await page.getByText('Calls are made with').waitFor();
  await choose(page, 'Model', 'sandbox-chat');
  await page.getByRole('textbox', { name: 'Message' }).fill(PROMPT);
  await shoot(1500);
  const answer = page.getByTestId('answer');
  await page.getByRole('button', { name: 'Send' }).click();
  await answer.waitFor();
  await page.waitForTimeout(600);
  await shoot(900);
  await page.getByRole('link', { name: 'Route, usage and charge' }).waitFor();
  await shoot(1800);
  await page.getByRole('link', { name: 'Route, usage and charge' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settle();
  await shoot(3000);
  writeFileSync(TARGET, animatePng(frames));
} finally {
  await browser.close();
  await gateway.stop();
}
console.error(`tollgate: the moving picture is ${TARGET}`);
