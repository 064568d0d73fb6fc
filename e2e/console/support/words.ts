// What the console and the portal say in each language, for tests that walk one journey in both: the English sentence is the key.
import assert from 'node:assert/strict';
import type { Catalogue } from '../../../console/src/i18n/catalogue.ts';
import { chineseConsole } from '../../../console/src/i18n/zh/chinese-console.ts';
import { chinesePages } from '../../../console/src/i18n/zh/chinese-pages.ts';
import { chinesePortal } from '../../../console/src/i18n/zh/chinese-portal.ts';

export const consoleTexts: Catalogue = { ...chineseConsole.texts, ...chinesePages };

export type Language = 'en' | 'zh';

/** Fills the {names} of a text. */
export type Say = (text: string, values?: Record<string, string | number>) => string;

export const inEnglish: Say = (text, values = {}) => fill(text.split(' //')[0] ?? text, values);

/** Fails on a text that has no Chinese. */
export const inChinese: Say = (text, values = {}) =>
  fill(consoleTexts[text] ?? chinesePortal.texts[text] ?? assert.fail(`no Chinese for "${text}"`), values);

export function wordsOf(language: Language): Say {
  return language === 'zh' ? inChinese : inEnglish;
}

function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** English texts whose Chinese differs. */
export const translated: ReadonlySet<string> = new Set(
  Object.entries({ ...consoleTexts, ...chinesePortal.texts }).flatMap(([key, text]) => (key === text ? [] : [key])),
);
