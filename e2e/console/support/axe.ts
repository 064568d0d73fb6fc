// What axe holds against a page of the console.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** The rules that a theme can break: the rest of the page is the same in both. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];
/** A program that does nothing, instead of axe. */
const ALREADY_THERE = ';';

/** Leaves the page light. */
export async function violationsInBothThemes(page: Page, name: string): Promise<string[]> {
  const light = await seriousViolations(page);
  await show(page, 'dark');
  const dark = await seriousViolations(page, RULES_OF_COLOUR);
  await show(page, 'light');
  return [...light.map((words) => `${name}, light: ${words}`), ...dark.map((words) => `${name}, dark: ${words}`)];
}

async function show(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
}

/** The console has no frames: what axe does for those would open one more tab for every look. */
async function newAxe(page: Page): Promise<AxeBuilder> {
  // To read half a megabyte of program costs more than the second look at a page.
  const isThere = await page.evaluate<boolean>(`typeof axe === 'object'`);
  const builder = new AxeBuilder({ page, ...(isThere && { axeSource: ALREADY_THERE }) });
  return builder.setLegacyMode(true).options({ resultTypes: ['violations'] });
}

/** All that axe looks for, or only what `rules` name. */
export async function seriousViolations(page: Page, rules: readonly string[] = []): Promise<string[]> {
  const axe = await newAxe(page);
  const { violations } = await (rules.length > 0 ? axe.withRules([...rules]) : axe).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.slice(0, 200)}`),
    );
}
