// Where the portal begins: first its language, then everything else, because texts are made as the parts are loaded.
import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '../components/console.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { startLanguage } from '../i18n/start-language.ts';
import { showIcon } from './app/show-icon.ts';

// The content security policy forbids making code at run time, so the schemas must not try.
z.config({ jitless: true });
showIcon();

const root = document.getElementById('root');
if (root !== null) {
  await startLanguage({
    zh: { first: async () => (await import('../i18n/zh/chinese-portal.ts')).chinesePortal },
  });
  const { App } = await import('./app/app.tsx');
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
