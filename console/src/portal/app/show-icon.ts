// The icon of the browser's tab: the first letter of the operator's name on the operator's colour.
import { brandColor, brandName } from '../../lib/brand.ts';
import { brandFill, brandInk } from './brand-colors.ts';

/** For the header of the page too. */
export const brandLetter = String.fromCodePoint(brandName.codePointAt(0) ?? 84).toUpperCase();

export function showIcon(): void {
  const letter = brandLetter.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const picture =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${brandColor ?? brandFill}"/>` +
    `<text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="${brandInk}">${letter}</text></svg>`;
  document.querySelector('link[rel="icon"]')?.setAttribute('href', `data:image/svg+xml,${encodeURIComponent(picture)}`);
}
