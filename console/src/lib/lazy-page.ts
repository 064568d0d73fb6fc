// The screen of a route, loaded when it is first visited, after its texts.
import { lazyRouteComponent } from '@tanstack/react-router';
import { loadPageTexts } from '../i18n/start-language.ts';
import { loadPart } from './load-part.ts';

export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    await loadPart(loadPageTexts);
    return await loadPart(load);
  }, name);

/** Its texts are there from the start. */
export const lazyFirstPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadPart(load), name);
