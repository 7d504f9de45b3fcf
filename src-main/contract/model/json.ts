/** A JSON value of unknown shape, saved as received. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
