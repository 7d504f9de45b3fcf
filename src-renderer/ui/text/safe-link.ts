/** The page's own look at an address before anything is opened: the same rule as behind the wire. */
export { isServiceAddress, safeLink } from '../../../src-main/contract/addresses.ts';
