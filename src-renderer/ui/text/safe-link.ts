/** The page checks each address itself before it opens one, by the same rule as the core. */
export { isServiceAddress, safeLink } from '../../../src-main/contract/addresses.ts';
