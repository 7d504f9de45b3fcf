/** Ten years in ms: the farthest that a time named by a person, a file or a setting may lie ahead. */
export const TEN_YEARS = 3653 * 86_400_000;
