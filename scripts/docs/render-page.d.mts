export interface Page {
  file: string;
  address: string;
  title: string;
  text: string;
}
export function renderPage(page: Page, site: ReadonlyMap<string, Page>): { html: string };
