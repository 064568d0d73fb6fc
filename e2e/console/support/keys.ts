// A person without a mouse: goes through a page by keys alone, in their language and theme. What has the focus must show it, and
// where a journey ends axe must find nothing serious and no pointer may have touched the page.
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { TestGateway } from '../../support/gateway.ts';
import { seriousViolations } from './axe.ts';
import { type ConsolePage, openConsole, openSignedIn } from './console.ts';
import { englishLeft } from './english-left.ts';
import { openPortal, type TestMember } from './portal.ts';
import { type Language, type Say, translated, wordsOf } from './words.ts';

export interface Person {
  name: string;
  language: Language;
  options: BrowserContextOptions;
}

/** Both languages, both themes. */
export const PEOPLE: readonly Person[] = [
  { name: 'English, light', language: 'en', options: { locale: 'en-US', colorScheme: 'light' } },
  { name: 'Chinese, dark', language: 'zh', options: { locale: 'zh-CN', colorScheme: 'dark' } },
];

type Role = Parameters<Page['getByRole']>[0];

interface Where {
  key?: string;
  within?: Page | Locator;
}

/** More than any page has stops. */
const MOST_STEPS = 150;
const POINTED = 'pointersSeen';
const WATCH_POINTERS = `
  window.${POINTED} = [];
  for (const type of ['pointerdown', 'mousedown', 'touchstart', 'wheel'])
    addEventListener(type, () => window.${POINTED}.push(type), true);`;

/** Runs in the page. Fields show a caret; of other things an outline, theirs or that of the frame or the sibling drawn for them. */
const SHOWS_FOCUS = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return 'nothing has the focus';
  if (element.matches('input:not([type=checkbox]):not([type=radio]), textarea, #content, [role=dialog]')) return '';
  const drawn = [element, element.parentElement, element.nextElementSibling, element.parentElement?.parentElement];
  const hasOutline = drawn.some((one) => {
    if (one === null || one === undefined) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  });
  return hasOutline ? '' : element.outerHTML.slice(0, 200);
})()`;

export class Hand {
  readonly page: Page;
  readonly say: Say;
  readonly #opened: ConsolePage;
  readonly #person: Person;

  constructor(opened: ConsolePage, person: Person) {
    this.page = opened.page;
    this.#opened = opened;
    this.#person = person;
    this.say = wordsOf(person.language);
  }

  visit(path: string): Promise<void> {
    return this.#opened.visit(path);
  }

  /** Tab, or another key, until it has the focus. `name` is a text of the console, or a pattern. */
  async go(role: Role, name: string | RegExp, { key = 'Tab', within = this.page }: Where = {}): Promise<void> {
    const target = within.getByRole(role, { name, exact: true });
    await target.first().waitFor();
    const focused = target.and(this.page.locator(':focus'));
    for (let step = 0; step < MOST_STEPS; step++) {
      if ((await focused.count()) > 0) {
        assert.equal(await this.page.evaluate<string>(SHOWS_FOCUS), '', `${String(name)} does not show its focus`);
        return;
      }
      await this.page.keyboard.press(key);
    }
    assert.fail(`${key} does not reach ${role} ${String(name)}`);
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Goes there and presses Enter. */
  async enter(role: Role, name: string | RegExp, options?: Where): Promise<void> {
    await this.go(role, name, options);
    await this.press('Enter');
  }

  /** Into a field, over what is there. */
  async write(name: string, text: string, options?: Where): Promise<void> {
    await this.go('textbox', name, options);
    await this.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

  /** In a select: down to the option, and Enter. */
  async choose(name: string, option: string, options?: Where): Promise<void> {
    await this.go('combobox', name, options);
    await this.press('ArrowDown');
    const wanted = this.page.getByRole('option', { name: option, exact: true });
    await wanted.waitFor();
    for (let step = 0; step < MOST_STEPS; step++) {
      const at = await this.page.evaluate<string>(
        `document.querySelector('[data-combobox-selected]')?.textContent ?? ''`,
      );
      if (at.trim() === option) {
        await this.press('Enter');
        return;
      }
      await this.press('ArrowDown');
    }
    assert.fail(`the arrows do not reach ${option}`);
  }

  /** By Ctrl+K. */
  async find(text: string, entry: string | RegExp = text): Promise<void> {
    await this.press('ControlOrMeta+k');
    await this.page
      .getByRole('combobox', { name: this.say('Find anything') })
      .and(this.page.locator(':focus'))
      .waitFor();
    await this.page.keyboard.type(text);
    const found = this.page.getByRole('listbox').getByRole('option', { name: entry });
    await found.first().waitFor();
    for (let step = 0; step < MOST_STEPS && (await found.first().getAttribute('aria-selected')) !== 'true'; step++)
      await this.press('ArrowDown');
    await this.press('Enter');
    await this.page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  async heading(name: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name }).waitFor();
  }

  /** Where a journey stands still long enough to be looked at. */
  async look(): Promise<void> {
    const { language, options } = this.#person;
    await this.page.locator(`html[data-mantine-color-scheme=${String(options.colorScheme)}]`).waitFor();
    assert.deepEqual(await seriousViolations(this.page), []);
    if (language === 'zh') assert.deepEqual(await englishLeft(this.page, translated), []);
    assert.deepEqual(await this.page.evaluate(`window.${POINTED}`), [], 'keys alone');
  }

  async close(): Promise<void> {
    await this.look();
    this.#opened.assertQuiet();
    await this.#opened.close();
  }
}

async function handOf(opened: ConsolePage, person: Person): Promise<Hand> {
  await opened.page.addInitScript(WATCH_POINTERS);
  return new Hand(opened, person);
}

export async function operatorHand(browser: Browser, gateway: TestGateway, person: Person): Promise<Hand> {
  return handOf(await openSignedIn(browser, gateway, person.options), person);
}

/** Before the sign-in. */
export async function strangerHand(browser: Browser, gateway: TestGateway, person: Person): Promise<Hand> {
  return handOf(await openConsole(browser, gateway, person.options), person);
}

export async function memberHand(
  browser: Browser,
  gateway: TestGateway,
  { person, member }: { person: Person; member?: TestMember },
): Promise<Hand> {
  return handOf(await openPortal(browser, gateway, { ...person.options, ...(member && { member }) }), person);
}
