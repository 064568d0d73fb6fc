// Loads the catalogue of the language and names it on the page, before any other part of the page is loaded. Texts that the
// first page does not show come with the first page that does.
import { addTexts, type Catalogue, type Catalogues, setCatalogues } from './catalogue.ts';
import { type Language, language, languageTag } from './language.ts';

export interface Loaders {
  first(): Promise<Catalogues>;
  /** What the other pages need; none = all is in the first. */
  pages?(): Promise<Catalogue>;
}

let textsOfPages = async (): Promise<void> => {};

/** Without its catalogue the page is shown in English, not at all is worse. */
export async function startLanguage(loaders: Partial<Record<Language, Loaders>>): Promise<void> {
  const own = loaders[language];
  document.documentElement.lang = 'en';
  if (own !== undefined) {
    try {
      setCatalogues(await own.first());
    } catch {
      return;
    }
    textsOfPages = async () => addTexts((await own.pages?.()) ?? {});
  }
  document.documentElement.lang = languageTag;
}

/** Before a page other than the first is loaded, because texts are made as the parts are loaded. */
export async function loadPageTexts(): Promise<void> {
  await textsOfPages();
  textsOfPages = async () => {};
}
