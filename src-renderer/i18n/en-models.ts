import { formatCount, plural } from './plural.ts';

const count = (n: number, one: string, other: string): string => plural('en', n, { one, other });

/** The words of the model catalogue's desk: its table, filters, workloads and export. */
export const enModels = {
  models: {
    count: (n: number) => count(n, '# model', '# models'),
    countOf: (n: number, all: number) => `${formatCount('en', n)} of ${count(all, '# model', '# models')}`,
    listing: 'Which listing',
    listings: { models: 'Models', embeddings: 'Embeddings' },
    panel: 'What is shown',
    panels: { table: 'Table', chart: 'Chart', changes: 'Changes' },
    page: 'Model',
    backToTable: 'Back to the table',
    closePage: 'Close the model’s page',
    comparison: 'Comparison',
    compareFull: (n: number) => `At most ${n} models are compared. Take one out first.`,
  },
};
