// The language of the person: kept in the browser by a choice in the menu, else the browser's own.
export const languages = [
  { code: 'en', tag: 'en', name: 'English' },
  { code: 'zh', tag: 'zh-CN', name: '简体中文' },
] as const;

export type Language = (typeof languages)[number]['code'];

const KEPT = 'tollgate-language';

/** The choice that was kept, else the first language of the browser that there is, else English. */
export function chooseLanguage(kept: string | null, wanted: readonly string[]): Language {
  const known = [kept, ...wanted].map((tag) => languages.find(({ code }) => tag?.toLowerCase().split('-')[0] === code));
  return known.find((found) => found !== undefined)?.code ?? 'en';
}

/** Outside of a browser, which is in unit tests, everything is English. */
export const language: Language =
  typeof document === 'undefined' ? 'en' : chooseLanguage(readKept(), navigator.languages);

/** For `Intl`, for the page's `lang` and for the gateway. */
export const languageTag: string = languages.find(({ code }) => code === language)?.tag ?? 'en';

/** The page is loaded again, because texts are also made when its parts are loaded. The address stays. */
export function switchLanguage(code: Language): void {
  localStorage.setItem(KEPT, code);
  location.reload();
}

function readKept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null; // a browser that keeps nothing
  }
}
