/** What all fields that are bare numbers are called, as one parameter. */
export const BARE_NUMBERS = '(bare numbers)';
