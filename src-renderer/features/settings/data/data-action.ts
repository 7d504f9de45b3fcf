/** What can be done with the data as a whole. */
export type DataTask = 'show' | 'choose' | 'export' | 'import' | 'backUp' | 'restore' | 'rebuild';
