// Where the console begins: first its language, then everything else, because texts are made as the parts are loaded.
import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './components/console.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { startLanguage } from './i18n/start-language.ts';
import { restoreDensity } from './lib/density.ts';
import { loadPart } from './lib/load-part.ts';

// The content security policy forbids making code at run time, so the schemas must not try.
z.config({ jitless: true });
restoreDensity();

const root = document.getElementById('root');
if (root !== null) {
  await startLanguage({
    zh: {
      first: async () => (await import('./i18n/zh/chinese-console.ts')).chineseConsole,
      pages: async () => (await import('./i18n/zh/chinese-pages.ts')).chinesePages,
    },
  });
  const { App } = await loadPart(() => import('./app/app.tsx'));
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
