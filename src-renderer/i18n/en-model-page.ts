import { plural } from './plural.ts';

const count = (n: number, one: string, other: string): string => plural('en', n, { one, other });

/** The words of a model's page, of the comparison, the chart and the change log. */
export const enModelPage = {
  modelPage: {
    label: 'Model',
    changes: (n: number) => count(n, '# change', '# changes'),
  },
};
