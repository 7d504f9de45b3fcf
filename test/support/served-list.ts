import type { DemoService, ServedItem } from '../../src-main/demo/service.ts';

/** The pages of the list of all items as every client gets them, and the body of the first. */
export async function servedList({ newsAddress }: DemoService): Promise<{ pages: ServedItem[][]; firstPage: string }> {
  const pages: ServedItem[][] = [];
  let firstPage = '';
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ mode: 'all', limit: '100', ...(cursor !== null && { cursor }) });
    const address = `${newsAddress}/api/v1/items?${query.toString()}`;
    const response = await fetch(address, { headers: { 'accept-encoding': 'identity' } });
    const body = await response.text();
    if (pages.length === 0) firstPage = body;
    const answer = JSON.parse(body) as { items: ServedItem[]; page: { nextCursor: string | null } };
    pages.push(answer.items);
    cursor = answer.page.nextCursor;
  } while (cursor !== null);
  return { pages, firstPage };
}
