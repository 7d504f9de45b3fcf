/** What a value looks like that came as JSON and is kept as it was. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
